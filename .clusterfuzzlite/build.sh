#!/bin/bash -eu
exec bash "$SRC/dlspec/fuzz/build-for-engine"
