"""Memory methods, one file each: what is recalled for a task and what is learnt from its attempts.

To add one, write `mine.py` with exactly one public class that has `needs_verdicts`, `recall` and `distill` (see
`MemoryMethod` in `reasoningbank.interfaces`), and `configs/memory/mine.yaml`:

    type: mine              # the file's name
    learn_from: both        # every other key is a keyword argument of the constructor

The file may lie in this folder, or anywhere if it is named in `plugins`. The constructor is keyword-only. What it asks
for by one of these names, and its YAML does not set, is filled in:

    prompts: PromptPack                      the run's prompts
    embedder: Embedder                       the one that the run's banks are searched with
    retrieval: Retrieval                     the keys of configs/retrieval, such as k and key
    learning: Learning                       scaling.aggregate and scaling.store: how several attempts are learnt from

`LearningMethod` in `reasoningbank.memory.base` does the recall, the choice of attempts and the storing policy that all
methods share; with it a method says which prompt shows its items and how attempts become experiences. One whose
settings name files (`fixed` is one) also has `digests`, so that a run with other files is another run.
"""
