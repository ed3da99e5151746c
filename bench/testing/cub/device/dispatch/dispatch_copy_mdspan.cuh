// That this file exists tells peer_cccl.cu that CUB copies between two mdspans.
#pragma once
