# fish completion for dlspec; written by `dlspec --completion fish`
complete -c dlspec -n __fish_use_subcommand -a run -d 'Judges producers and consumers by rule.'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l help -d 'Print this help message and exit'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l role -d 'The role to judge; default: every role of the subject' -r -f -a 'both bridge consumer producer'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l rules -d 'Only rules that match, as in '\''tensor.*'\''; '\''!GLOB'\'' leaves out; may be repeated' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l case -d 'Only cases that match, as in '\''producer/float32/*'\''; '\''!GLOB'\'' leaves out; may be repeated' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l level -d 'Only rules that bind as much as this level, or more' -r -f -a 'convention implied may must should'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l shard -d 'One of N parts of the plan' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l device -d 'Where the arrays lie: cpu, or cuda, cuda:N for a GPU' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l seed -d 'Seed of the arrays'\'' contents (0)' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l python -d 'The interpreter for Python subjects (of the active environment)' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l jobs -d 'Workers at a time (one for each processor, at most 4)' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l timeout -d 'Seconds for one case (10)' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l budget -d 'Seconds for one subject, imports not counted (120)' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l memory -d 'MiB of memory that a worker may hold (4096)' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l offline -d 'Only environments that are in the cache'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l refresh -d 'Look up @latest in the package index even if it was looked up today'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l yes -d 'No question before a large download'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l wrapper -d 'Put before the worker'\''s command, as in '\''valgrind -q'\''' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l in-process -d 'The one selected case in this process, for a debugger'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l smoke -d 'Ordinary exchanges only: is the adapter at fault, or the library?'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l thorough -d 'Three circumstances at once, not two: some ten times as many cases'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l strict -d 'Warnings count as failures'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l baseline -d 'Deviations that are accepted: a file, or those that dlspec ships' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l json -d 'Write the result document' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l junit -d 'Write JUnit XML' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l html -d 'Write a page for a browser' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l markdown -d 'Write Markdown' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l sarif -d 'Write SARIF 2.1.0' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l badge -d 'Write a picture (SVG) that says whether anything failed' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l emit-reproducer -d 'Write a script or C program of its own for each rule that failed' -r
complete -c dlspec -n '__fish_seen_subcommand_from run' -l quiet -d 'Print errors only'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l verbose -d 'Print every case, observation and reason'
complete -c dlspec -n '__fish_seen_subcommand_from run' -l color -d 'Colours: auto means on a terminal' -r -f -a 'always auto never'
complete -c dlspec -n __fish_use_subcommand -a inspect -d 'Evaluates a Python expression and shows what the object exports. The leading module is imported'
complete -c dlspec -n '__fish_seen_subcommand_from inspect' -l help -d 'Print this help message and exit'
complete -c dlspec -n '__fish_seen_subcommand_from inspect' -l setup -d 'Python statements that run before' -r
complete -c dlspec -n '__fish_seen_subcommand_from inspect' -l path -d 'Put in front of the module search path' -r
complete -c dlspec -n '__fish_seen_subcommand_from inspect' -l python -d 'The interpreter (of the active environment)' -r
complete -c dlspec -n '__fish_seen_subcommand_from inspect' -l with -d 'In an environment with NAME==VERSION or NAME@latest' -r
complete -c dlspec -n '__fish_seen_subcommand_from inspect' -l offline -d 'Only environments that are in the cache'
complete -c dlspec -n '__fish_seen_subcommand_from inspect' -l yes -d 'No question before a large download'
complete -c dlspec -n '__fish_seen_subcommand_from inspect' -l svg -d 'The picture of the tensor'\''s memory, as a file' -r
complete -c dlspec -n '__fish_seen_subcommand_from inspect' -l timeout -d 'Seconds for all of it (120)' -r
complete -c dlspec -n '__fish_seen_subcommand_from inspect' -l color -d 'Colours: auto means on a terminal' -r -f -a 'always auto never'
complete -c dlspec -n __fish_use_subcommand -a matrix -d 'Exchanges arrays between libraries: each SUBJECT'\''s array is imported by every SUBJECT, in one process.'
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l help -d 'Print this help message and exit'
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l case -d 'Only cases that match, as in '\''exchange/float32/*'\''; '\''!GLOB'\'' leaves out; may be repeated' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l seed -d 'Seed of the arrays'\'' contents (0)' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l python -d 'The interpreter for Python subjects (of the active environment)' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l jobs -d 'Workers at a time (one for each processor, at most 4)' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l timeout -d 'Seconds for one case (10)' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l budget -d 'Seconds for one subject, imports not counted (120)' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l memory -d 'MiB of memory that a worker may hold (4096)' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l offline -d 'Only environments that are in the cache'
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l refresh -d 'Look up @latest in the package index even if it was looked up today'
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l yes -d 'No question before a large download'
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l strict -d 'Warnings count as failures'
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l json -d 'Write the result document' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l junit -d 'Write JUnit XML' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l html -d 'Write a page for a browser' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l markdown -d 'Write Markdown' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l sarif -d 'Write SARIF 2.1.0' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l badge -d 'Write a picture (SVG) that says whether anything failed' -r
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l quiet -d 'Print errors only'
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l verbose -d 'Print every case, observation and reason'
complete -c dlspec -n '__fish_seen_subcommand_from matrix' -l color -d 'Colours: auto means on a terminal' -r -f -a 'always auto never'
complete -c dlspec -n __fish_use_subcommand -a rules -d 'Lists the rules, or explains one. A pattern is an id with * and ?; one whole id is explained.'
complete -c dlspec -n '__fish_seen_subcommand_from rules' -l help -d 'Print this help message and exit'
complete -c dlspec -n '__fish_seen_subcommand_from rules' -l coverage -d 'How many rules are checked, and why the others are not'
complete -c dlspec -n '__fish_seen_subcommand_from rules' -l questions -d 'What the standard leaves open, on all or on the rules that match'
complete -c dlspec -n '__fish_seen_subcommand_from rules' -l color -d 'Colours: auto means on a terminal' -r -f -a 'always auto never'
complete -c dlspec -n __fish_use_subcommand -a selftest -d 'Shows that dlspec'\''s checks work: every faulty subject of its zoo must break exactly the rule that it was made'
complete -c dlspec -n '__fish_seen_subcommand_from selftest' -l help -d 'Print this help message and exit'
complete -c dlspec -n '__fish_seen_subcommand_from selftest' -l rules -d 'Only subjects of rules that match; '\''!GLOB'\'' leaves out; may be repeated' -r
complete -c dlspec -n '__fish_seen_subcommand_from selftest' -l python -d 'The interpreter (of the active environment)' -r
complete -c dlspec -n '__fish_seen_subcommand_from selftest' -l jobs -d 'Workers at a time (one for each processor, at most 4)' -r
complete -c dlspec -n '__fish_seen_subcommand_from selftest' -l thorough -d 'Every subject meets all circumstances of the sample, not a fifth'
complete -c dlspec -n '__fish_seen_subcommand_from selftest' -l quiet -d 'Print failures only'
complete -c dlspec -n __fish_use_subcommand -a fuzz -d 'Tries random sequences of exports, imports, writes and releases of one subject, checks every live export after'
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l help -d 'Print this help message and exit'
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l minutes -d 'Stop after N minutes (default: when interrupted)' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l first -d 'Stop at the first finding'
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l sequence -d 'This sequence only, as in a finding'\''s repeat line' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l seed -d 'Seed of the sequences (0)' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l shard -d 'One of N parts, each of other sequences' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l python -d 'The interpreter for Python subjects (of the active environment)' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l jobs -d 'Workers at a time (one for each processor, at most 4)' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l timeout -d 'Seconds for one batch of sequences (10)' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l memory -d 'MiB of memory that a worker may hold (4096)' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l offline -d 'Only environments that are in the cache'
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l refresh -d 'Look up @latest in the package index even if it was looked up today'
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l yes -d 'No question before a large download'
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l json -d 'Write the result document' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l junit -d 'Write JUnit XML' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l html -d 'Write a page for a browser' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l markdown -d 'Write Markdown' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l sarif -d 'Write SARIF 2.1.0' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l badge -d 'Write a picture (SVG) that says whether anything failed' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l emit-reproducer -d 'Write a script of its own for each finding' -r
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l quiet -d 'Print errors only'
complete -c dlspec -n '__fish_seen_subcommand_from fuzz' -l color -d 'Colours: auto means on a terminal' -r -f -a 'always auto never'
complete -c dlspec -n __fish_use_subcommand -a header -d 'Judges a copy of dlpack.h: its version macros, the sizes and offsets of its structs as a C compiler lays them'
complete -c dlspec -n '__fish_seen_subcommand_from header' -l help -d 'Print this help message and exit'
complete -c dlspec -n '__fish_seen_subcommand_from header' -l include -d 'Where it finds what it includes' -r
complete -c dlspec -n '__fish_seen_subcommand_from header' -l compiler -d 'The C compiler ($CC, or cc, gcc, clang on PATH)' -r
complete -c dlspec -n '__fish_seen_subcommand_from header' -l strict -d 'Warnings count as failures'
complete -c dlspec -n __fish_use_subcommand -a report -d 'Merges result documents of `dlspec run --json` (shards of one plan, or different subjects), prints them and'
complete -c dlspec -n '__fish_seen_subcommand_from report' -l help -d 'Print this help message and exit'
complete -c dlspec -n '__fish_seen_subcommand_from report' -l baseline -d 'Deviations that are accepted: a file, or those that dlspec ships' -r
complete -c dlspec -n '__fish_seen_subcommand_from report' -l json -d 'Write the result document' -r
complete -c dlspec -n '__fish_seen_subcommand_from report' -l junit -d 'Write JUnit XML' -r
complete -c dlspec -n '__fish_seen_subcommand_from report' -l html -d 'Write a page for a browser' -r
complete -c dlspec -n '__fish_seen_subcommand_from report' -l markdown -d 'Write Markdown' -r
complete -c dlspec -n '__fish_seen_subcommand_from report' -l sarif -d 'Write SARIF 2.1.0' -r
complete -c dlspec -n '__fish_seen_subcommand_from report' -l badge -d 'Write a picture (SVG) that says whether anything failed' -r
complete -c dlspec -n '__fish_seen_subcommand_from report' -l strict -d 'Warnings count as failures'
complete -c dlspec -n '__fish_seen_subcommand_from report' -l quiet -d 'Print errors only'
complete -c dlspec -n '__fish_seen_subcommand_from report' -l verbose -d 'Print every case, observation and reason'
complete -c dlspec -n '__fish_seen_subcommand_from report' -l color -d 'Colours: auto means on a terminal' -r -f -a 'always auto never'
complete -c dlspec -n __fish_use_subcommand -a baseline -d 'Writes the deviations of these results into FILE, which is created if it is missing. Reasons'
complete -c dlspec -n '__fish_seen_subcommand_from baseline' -l help -d 'Print this help message and exit'
complete -c dlspec -n '__fish_seen_subcommand_from baseline' -l quiet -d 'Print errors only'
complete -c dlspec -n __fish_use_subcommand -a init -d 'Writes an adapter for an installed library: tries how it makes arrays, imports them and gives their'
complete -c dlspec -n '__fish_seen_subcommand_from init' -l help -d 'Print this help message and exit'
complete -c dlspec -n '__fish_seen_subcommand_from init' -l output -d 'The adapter (MODULE_adapter.py)' -r
complete -c dlspec -n '__fish_seen_subcommand_from init' -l python -d 'The interpreter (of the active environment)' -r
