"""Consumers: the keywords that they send, and what they make of an answer other than the one asked for."""

from dlspec_worker.consumer.keywords import taken_plainly
from dlspec_worker.exports.devices import device_numbers
from dlspec_worker.facts import dlpack, wording
from dlspec_worker.facts.dlpack import CPU, HEXAGON, VPI, is_pair
from dlspec_worker.imports.importing import Import, judge_refusal_releases, refused, unless_refused
from dlspec_worker.imports.source import LegacySource, Source
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant


@variant("consumer", "max_version")
def max_version(trial):
    """Array API 2023.12, __dlpack__, max_version: the highest version that the consumer supports."""
    rule = "python.consumer-max-version-truthful"
    if not taken_plainly(trial):
        return
    source = Source(trial)
    Import(trial, source)
    given = [asked["max_version"] for asked in source.asked if asked.get("max_version") is not None]
    malformed = [each for each in given if not is_pair(each)]
    if malformed:
        trial.out.violated(
            rule,
            f"max_version is an object of type {type(malformed[0]).__name__}: {wording.of_repr(malformed[0])}",
            "a tuple of two integers",
        )
    elif not given:
        trial.out.not_applicable(rule)  # an importer of the edition 2021.12
    elif max(given)[0] < 1:
        _judge_modest(trial, rule, max(given))
    else:
        _judge_constant(trial, rule, max(given))
        _judge_claim(trial, rule, max(given))
    trial.out.pass_(rule)


def _judge_constant(trial, rule, version):
    """What others export says nothing of what the consumer supports."""
    for others in (Source(trial, "versioned", version=(1, 99)), Permissive(trial, "legacy")):
        Import(trial, others)
    source = Source(trial)
    Import(trial, source)
    again = [asked["max_version"] for asked in source.asked if is_pair(asked["max_version"])]
    first = trial.library.first_asked["max_version"]  # in this worker, where tensors of 1.99 have been imported since
    first = first if is_pair(first) and first[0] >= 1 else version
    if again and max(again) != first:
        observed = (
            f"it asked for {_text(first)}, and after imports of 1.99 and of a legacy struct for {_text(max(again))}"
        )
        trial.out.violated(rule, observed, "the highest version that it supports")


def _judge_modest(trial, rule, version):
    """A consumer that asks for no versioned capsule but reads one that it is given understates what it supports."""
    if takes_unasked(trial):
        observed = f"it asks for {_text(version)} at most, and imports a tensor of version 1.3"
        trial.out.violated(rule, observed, "the highest version that it supports")


def takes_unasked(trial):
    """True when a versioned capsule is imported, whether or not it was asked for."""
    return _elements(trial, Unasked(trial, "versioned")) == trial.order.bytes


class Unasked(Source):
    """Answers in a versioned capsule, whatever is asked."""

    def _hand_out(self, max_version):
        return super()._hand_out(dlpack.NEWEST)


def _judge_claim(trial, rule, version):
    done = Import(trial, Source(trial, "versioned", version=version))
    if done.refusal and Import(trial, Source(trial, "versioned")).refusal is None:
        observed = f"it asks for {_text(version)}, and refuses a tensor of that version: {done.refusal.text}"
        trial.out.violated(rule, observed, "the highest version that it supports")
    elif version > dlpack.NEWEST:
        observed = f"it asks for {_text(version)}, which is newer than any version that this dlspec knows"
        trial.out.info(rule, observed, "the highest version that it supports", "newer-version-asked")


def _text(version):
    return f"{version[0]}.{version[1]}"


def _elements(trial, source):
    """The elements that an import from this source shows; None when it is refused."""
    done = Import(trial, source)
    return None if done.refusal else trial.library.imported_contents(done.array)[0]


@variant("consumer", "answer=legacy")
def answer_legacy(trial):
    """Array API 2023.12, __dlpack__, max_version: the consumer checks what it got, whatever it asked for."""
    rule = "python.consumer-verifies-version"
    if not taken_plainly(trial):
        return
    source = Permissive(trial, "legacy")
    done = Import(trial, source)
    if not any(is_pair(asked.get("max_version")) and asked["max_version"][0] >= 1 for asked in source.asked):
        trial.out.not_applicable(rule)  # never asked for a version
    elif done.refusal and _elements(trial, LegacySource(trial, "legacy")) == trial.order.bytes:
        observed = f"legacy capsules are taken, but not in answer to max_version: {done.refusal.text}"
        allowed = "the tensor that the capsule's name tells of, or a refusal"
        trial.out.info(rule, observed, allowed, "legacy-answer-refused")
    elif done.refusal is None:
        found = trial.library.imported_contents(done.array)[0]
        if found not in (None, trial.order.bytes) and _elements(trial, Source(trial)) == trial.order.bytes:
            observed = "a legacy capsule in answer to max_version was imported with other elements"
            trial.out.violated(rule, observed, "the tensor, or a refusal")
        elif found not in (None, trial.order.bytes):
            trial.out.blocked("by the elements of every import", rule)
    trial.out.pass_(rule)


class Permissive(Source):
    """Accepts max_version and still answers with its own generation, as an exporter may."""

    def __init__(self, trial, generation):
        super().__init__(trial, generation)
        self._strict = False


@variant("consumer", "keywords-sent")
def keywords_sent(trial):
    """Array API 2021.12 and 2023.12, __dlpack__: stream and dl_device in the form that the exporter uses."""
    asked_for = _all_asked(trial)
    if not asked_for:
        refused(trial, Import(trial, Source(trial)))
    own = _own_device(trial)
    for given, asked in asked_for:
        _judge_stream_for_host(trial, asked)
        if given is None or given == own or given != asked.get("dl_device"):
            _judge_device_form(trial, asked)  # a device name that the library does not know is passed through unchanged
    _judge_device_elsewhere(trial)
    _judge_copy_forgotten(trial, asked_for)
    trial.out.pass_("stream.cpu-none", "stream.range", "python.dl-device-format")


class OnVpi(Source):
    """A source on a device that nobody has, which copies to the host when it is asked to."""

    def __init__(self, trial):
        super().__init__(trial, says_device=VPI)

    def _answer(self, max_version, dl_device, copy):
        if not is_pair(dl_device) or tuple(dl_device) != CPU:
            raise BufferError("this tensor is exported to the host alone")
        return self._hand_out(max_version)


def _judge_device_elsewhere(trial):
    """Asked for the host, the consumer does not ask for the device that the source is on."""
    for device in host_devices(trial):
        source = OnVpi(trial)
        Import(trial, source, device=device)
        if any(is_pair(each["dl_device"]) and tuple(each["dl_device"]) == VPI for each in source.asked):
            observed = f"dl_device={_numbers(VPI)}, the device of the source, was sent where the host was asked for"
            trial.out.violated("python.dl-device-format", observed, f"dl_device={_numbers(CPU)}")


def _judge_copy_forgotten(trial, asked_for):
    """An import without the keyword asks for no copy, whatever earlier ones asked for."""
    source, first = Source(trial), asked_for[0][1]["copy"]
    Import(trial, source)
    for asked in source.asked[:1]:  # later ones are asked after a refusal
        if asked["copy"] != first:
            observed = f"copy={asked['copy']} was sent by an import without the keyword, after others that had it"
            trial.out.violated("python.copy-forwarded", observed, f"copy={first}, as before")
    trial.out.pass_("python.copy-forwarded")


def _numbers(device):
    return f"({int(device[0])}, {int(device[1])})"


def _all_asked(trial):
    """For imports with and without keywords: the device asked for, and the call of __dlpack__ that follows."""
    wishes = [{}, {"copy": None, "device": None}, {"copy": True}, {"copy": False}]
    wishes += [{"device": device} for device in host_devices(trial)]
    asked = []
    for keywords in wishes:
        source = Source(trial)
        Import(trial, source, **keywords)
        asked += [(keywords.get("device"), each) for each in source.asked]
    return asked


def host_devices(trial):
    """Names of the host that the library may understand: the one of its own array, and "cpu"."""
    own = _own_device(trial)  # which may be equal to the text, and be translated in another way
    text = None if type(own) is str and own == "cpu" else "cpu"
    return [device for device in (own, text) if device is not None]


def _own_device(trial):
    array, _ = attempt(trial.library.make, trial.order)
    return attempt(getattr, array, "device", None)[0]


def _judge_stream_for_host(trial, asked):
    stream = asked.get("stream")
    if stream is None:
        return
    if isinstance(stream, int) and stream < -1:
        trial.out.violated("stream.range", f"stream={stream} was sent", "None; -1 or above where there are streams")
    else:
        trial.out.violated("stream.cpu-none", f"stream={_spoken(stream)} was sent for host memory", "None")


def _judge_device_form(trial, asked):
    device = asked.get("dl_device")
    if device is not None and not is_pair(device):
        observed = f"dl_device={_spoken(device)} was sent"
        trial.out.violated(
            "python.dl-device-format", observed, "a tuple of two integers, as __dlpack_device__ returns it"
        )


def _spoken(value):
    return repr(value) if isinstance(value, (int, str)) else f"an object of type {type(value).__name__}"


@variant("consumer", "device-disagrees")
def device_disagrees(trial):
    """NumPy's practice: the device in the capsule counts, because it says where the memory is."""
    rule = "python.consumer-no-reliance-on-device-call"
    if not taken_plainly(trial):
        return
    if Import(trial, Source(trial, device=HEXAGON)).refusal is None:
        # It imports memory of that device, whatever __dlpack_device__ says.
        trial.out.not_applicable(rule, "managed.error-releases")
        return
    source = Source(trial, device=HEXAGON, says_device=CPU)
    done = Import(trial, source)
    if done.refusal:
        judge_refusal_releases(trial, source)
    trial.out.not_applicable("managed.error-releases")
    if done.refusal is None:
        observed = "a capsule of device type 16 was imported, because __dlpack_device__ said (1, 0)"
        trial.out.violated(rule, observed, "the device of the capsule, or a refusal")
    trial.out.pass_(rule)


@variant("consumer", "same-device")
def same_device(trial):
    """Array API 2023.12, from_dlpack, device: without it the result is where the source is."""
    rule = "python.from-dlpack-same-device"
    done = unless_refused(trial, Import(trial, Source(trial)))
    method, missing = attempt(getattr, done.array, "__dlpack_device__")
    device, refusal = (None, missing) if missing else attempt(method)
    numbers = None if refusal else device_numbers(device)
    if numbers is None:
        trial.out.unsupported("the imported array does not say where it is", rule)
    elif numbers[0] != CPU[0]:
        # Some libraries number host devices; the number is not compared.
        observed = f"a tensor of the host was imported, and is on device type {numbers[0]} by its own word"
        trial.out.violated(rule, observed, "device type 1")
    trial.out.pass_(rule)
