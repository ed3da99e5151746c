"""An export without a stream does not wait for work that still writes the array.

The array is written on a stream of its own, behind a kernel that spins. The legacy default stream, which the export
stands for, reads it at once.
"""

writer = torch.cuda.Stream()
array = torch.zeros(1 << 20, device="cuda")
torch.cuda.synchronize()
with torch.cuda.stream(writer):
    torch.cuda._sleep(1 << 30)
    array.fill_(1)
    capsule = array.__dlpack__()
with torch.cuda.stream(torch.cuda.default_stream()):
    seen = array.clone()
torch.cuda.synchronize()
verdict(seen.sum().item() != array.sum().item(), f"{int(seen.sum().item())} of {array.numel()} elements were written")
