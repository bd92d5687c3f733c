"""Other names for what a program calls something."""

from __future__ import annotations

SYNONYMS: dict[str, tuple[str, ...]] = {
    "added": ("put", "extra", "fresh"),
    "before": ("earlier", "previous", "prior"),
    "begin": ("opening", "onset", "first_moment"),
    "below": ("children", "beneath", "under"),
    "bound": ("binding", "signature_values", "matched"),
    "candidate": ("option", "attempt", "guess"),
    "cell": ("field_text", "box", "slot"),
    "cells": ("boxes", "field_texts", "slots"),
    "child": ("kid", "inner", "operand"),
    "content": ("body", "inside", "payload"),
    "count": ("amount", "how_many", "tally"),
    "counts": ("amounts", "tallies", "numbers_seen"),
    "day": ("today", "when", "calendar_day"),
    "days": ("day_list", "calendar_days", "when_all"),
    "distance": ("gap", "far", "reach_to"),
    "each": ("item", "element", "entry"),
    "end": ("stop", "finish", "limit"),
    "entry": ("record", "stored_item", "held"),
    "event": ("appointment", "happening", "meeting"),
    "expires": ("deadline", "until_when", "runs_out"),
    "factor": ("multiplier", "ratio_to", "scale_by"),
    "first": ("leading", "initial", "front"),
    "found": ("result", "hits", "collected", "output", "gathered"),
    "head": ("top", "prefix_length", "front"),
    "hunk": ("block", "chunk", "section"),
    "i": ("row_index", "m", "p", "left_index"),
    "item": ("thing", "element", "part"),
    "items": ("things", "elements", "stuff"),
    "j": ("column_index", "n", "q", "right_index"),
    "key": ("ident", "handle", "lookup_key"),
    "kind": ("category", "sort", "variety"),
    "last": ("previous", "latest", "tail_item"),
    "left": ("lhs", "one_side", "first_side"),
    "level": ("depth", "height", "layer"),
    "line": ("row_text", "text_line", "raw"),
    "lines": ("text_lines", "raws", "row_texts"),
    "mark": ("sign", "symbol_char", "point"),
    "match": ("hit", "matched", "found_match"),
    "merged": ("joined_up", "combined", "fused"),
    "middle": ("center", "half", "mid"),
    "name": ("label", "title", "called"),
    "new": ("after_text", "fresh", "target_side"),
    "node": ("branch", "vertex", "point"),
    "number": ("index", "count", "n"),
    "old": ("former", "origin_side", "source_side"),
    "op": ("operation", "action", "move"),
    "ordered": ("in_sequence", "arranged", "sorted_ones"),
    "other": ("second", "another", "peer"),
    "others": ("rest_of_them", "peers", "the_rest"),
    "pieces": ("fragments", "chunks", "remains"),
    "place": ("spot", "offset", "where"),
    "places": ("spots", "offsets", "indices"),
    "position": ("cursor", "offset", "pointer", "at"),
    "prefix": ("lead", "front_part", "start_text"),
    "profile": ("outline", "steps_seen", "curve"),
    "quote": ("quote_mark", "delimiter_char", "fence"),
    "result": ("outcome", "answer", "out"),
    "right": ("rhs", "other_side", "second_side"),
    "row": ("record_cells", "entry", "line_cells"),
    "rows": ("records_list", "entries", "body_rows"),
    "scale": ("grade", "multiplier", "size_factor"),
    "scores": ("ratings", "points", "marks"),
    "shared": ("common_parts", "both", "overlap_list"),
    "side": ("half", "flank", "part"),
    "single": ("only", "occurrence", "instance"),
    "slots": ("openings", "rooms", "windows"),
    "span": ("stretch", "interval", "segment", "piece"),
    "spans": ("stretches", "intervals", "segments"),
    "start": ("begin", "origin", "low"),
    "step": ("stride", "delta", "jump"),
    "steps": ("strides", "deltas", "changes_at"),
    "symbol": ("sign_text", "short_name", "mark"),
    "table": ("grid", "matrix", "lookup_rows"),
    "tail": ("rear", "suffix_length", "bottom"),
    "text": ("string", "source_text", "written"),
    "token": ("piece", "lexeme", "unit_of_text"),
    "unit": ("measure", "uom", "dimension_unit"),
    "value": ("amount", "given", "content"),
    "values": ("amounts", "givens", "contents"),
    "waiting": ("queued", "todo", "outstanding"),
    "word": ("term", "token_text", "vocable"),
}
LOCALS = (
    *("{}_", "cur_{}", "this_{}", "the_{}", "my_{}", "a_{}", "{}_now", "{}_here", "one_{}", "{}_val", "tmp_{}"),
    *("{}_x", "its_{}", "{}_seen", "next_{}", "some_{}", "{}_so_far", "local_{}"),
)
PRIVATES = (
    *("do_{}", "{}_impl", "{}_inner", "{}_core", "{}_data", "{}_internal", "raw_{}", "{}_helper", "base_{}"),
    *("{}_store", "plain_{}", "{}_step", "{}_work", "own_{}", "{}_part", "inner_{}", "all_{}", "{}_one"),
)


def other_names(name: str) -> list[str]:
    """Names that a local variable could have instead."""
    fitting = [pattern for pattern in LOCALS if name not in pattern.split("_")]
    return [*SYNONYMS.get(name, ()), *(pattern.format(name) for pattern in fitting)]


def other_private_names(name: str) -> list[str]:
    """Names that something private of a library could have instead, private in the same way."""
    plain = name.lstrip("_")
    marks = name[: len(name) - len(plain)]
    if plain.isupper():
        return [marks + pattern.format(plain).upper() for pattern in PRIVATES]
    if plain[:1].isupper():
        return [marks + pattern.format(plain).title().replace("_", "") for pattern in ("my_{}", "{}_data", "base_{}")]
    return [marks + pattern.format(plain) for pattern in PRIVATES]
