"""Words of the forum: boards and what they are about, names of people, what posts and comments say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Board:
    """A forum and the things that its posts are about."""

    name: str
    title: str
    description: str
    things: tuple[str, ...]


# fmt: off
BOARDS = (
    Board("aquariums", "Aquariums", "Tanks, fish and the plants between them.",
        ("glass tank", "sponge filter", "algae scraper", "driftwood root", "water heater", "shrimp bowl",
            "snail trap")),
    Board("baking", "Home Baking", "Bread, cakes and everything that rises.",
        ("sourdough jar", "proofing basket", "rye loaf", "dough scraper", "cake ring", "pizza stone", "rolling pin")),
    Board("beekeeping", "Beekeeping", "For those who keep bees and those who are about to.",
        ("smoker", "brood frame", "honey strainer", "queen cage", "hive tool", "swarm box", "bee veil")),
    Board("birding", "Bird Watching", "What sits on the branch and how to see it first.",
        ("spotting scope", "nest box", "seed feeder", "field notebook", "hide", "owl pellet", "bird bath")),
    Board("boardgames", "Board Games", "Cardboard, dice and long evenings.",
        ("dice tower", "card sleeve", "rule book", "wooden token", "score pad", "hex map", "game shelf")),
    Board("camping", "Camping", "Nights outside, dry and not so dry.",
        ("tarp", "gas stove", "sleeping mat", "tent pole", "headlamp", "water bladder", "camp chair")),
    Board("ceramics", "Ceramics", "Clay, glaze and broken handles.",
        ("kick wheel", "ash glaze", "trimming tool", "tea bowl", "kiln shelf", "slip trailer", "clay bag")),
    Board("cycling", "Cycling", "Two wheels and no hurry.",
        ("saddle", "bottle cage", "rear derailleur", "bike bell", "pannier", "chain whip", "dynamo light")),
    Board("espresso", "Espresso", "Short cups, long talks about them.",
        ("hand grinder", "lever machine", "milk jug", "portafilter", "burr set", "tamper", "drip tray")),
    Board("fountainpens", "Fountain Pens", "Nibs, ink and blotted fingers.",
        ("flex nib", "ink bottle", "converter", "pen case", "blotter", "piston filler", "gold nib")),
    Board("guitars", "Guitars", "Strings, woods and the neighbours.",
        ("capo", "tube amp", "slide", "parlor guitar", "delay pedal", "string winder", "truss rod")),
    Board("houseplants", "House Plants", "Green things on the window sill.",
        ("monstera", "plant shelf", "spray bottle", "clay pot", "grow light", "orchid", "moss pole")),
    Board("kites", "Kites", "Everything that flies on a line.",
        ("box kite", "line reel", "kite tail", "delta wing", "spar", "wind meter", "stunt kite")),
    Board("knitting", "Knitting", "Needles, yarn and unfinished sleeves.",
        ("sock heel", "cable needle", "yarn swift", "stitch marker", "wool blanket", "lace shawl", "row counter")),
    Board("modeltrains", "Model Trains", "Small rails, large cellars.",
        ("turntable", "signal box", "steam engine", "track cleaner", "freight car", "tunnel portal", "transformer")),
    Board("photography", "Photography", "Light, lenses and patience.",
        ("tripod", "prime lens", "light meter", "film scanner", "camera strap", "darkroom tray", "grey card")),
    Board("hamradio", "Radio Amateurs", "Antennas on the roof and voices from far away.",
        ("dipole", "morse key", "crystal set", "antenna mast", "shortwave receiver", "log sheet", "tuning coil")),
    Board("repairs", "Repair Cafe", "Do not throw it away yet.",
        ("toaster", "soldering iron", "zipper", "wall clock", "door hinge", "desk fan", "sewing machine")),
    Board("retrocomputers", "Old Computers", "Machines that start faster than you sit down.",
        ("tape drive", "joystick", "floppy box", "green monitor", "mechanical keyboard", "dot printer", "cartridge")),
    Board("rowing", "Rowing", "Backwards over the lake.",
        ("sculling oar", "boat trolley", "rowing machine", "seat rail", "rigger", "dry bag", "cox box")),
    Board("sketching", "Sketching", "A line a day.",
        ("pocket sketchbook", "water brush", "charcoal stick", "kneaded eraser", "easel", "pencil roll",
            "gouache set")),
    Board("stargazing", "Star Gazing", "For clear nights and cold feet.",
        ("star chart", "refractor", "red torch", "eyepiece", "barlow lens", "equatorial mount", "sky log")),
    Board("woodworking", "Woodworking", "Sawdust and what remains of the board.",
        ("hand plane", "dovetail saw", "marking gauge", "workbench", "chisel roll", "mallet", "drawer slide")),
)
SHOP_BOARD = Board("goodbuys", "Good Buys", "What was worth its money, and what was not.", ())
"""The board that talks about a shop's products."""

FIRST = (
    "Quiet", "Amber", "Rusty", "Brisk", "Copper", "Dusty", "Eager", "Foggy", "Gentle", "Hollow", "Ivory", "Jolly",
    "Lucky", "Mellow", "Nimble", "Olive", "Patient", "Rapid", "Silver", "Tidy", "Velvet", "Windy", "Witty", "Young",
)
SECOND = (
    "Heron", "Badger", "Cricket", "Dolphin", "Ember", "Falcon", "Gecko", "Hamlet", "Iris", "Juniper", "Kettle",
    "Lantern", "Marmot", "Nettle", "Otter", "Pebble", "Raven", "Sparrow", "Thistle", "Walnut", "Willow", "Yarrow",
)
BIOGRAPHIES = (
    "", "", "I read more than I write.", "Here for the pictures.", "Ask me about the old days.",
    "Retired, curious, mostly harmless.", "Two cats, one garden, no time.", "I try things so that you need not.",
    "Writes long answers to short questions.", "Left the big city and never looked back.",
)
TITLES = (
    "What did your first {thing} teach you?", "My {thing} after two years of use", "Is a used {thing} worth it?",
    "Small tip for everybody with a {thing}", "I finally have a {thing} that lasts",
    "Where do you keep the {thing} in winter?", "Help, my {thing} makes a strange noise",
    "The {thing} that my grandmother left me", "How much should one pay for a {thing}?", "A {thing} made from scraps",
    "Nobody needs a {thing}, and I can prove it", "Show me your {thing}", "Weekend project: a better {thing}",
    "Looking for advice about a {thing}", "I broke my {thing} and glued it together",
    "Spare parts for a {thing}, where do you get them?", "The strangest {thing} I have ever seen",
    "Everything I know about the {thing}", "Why does every {thing} look the same now?",
    "Please talk me out of another {thing}", "A short history of the {thing}", "Rate my {thing} and be honest",
    "Beginner question about the {thing}", "My neighbour borrowed the {thing} and this came back",
)
BODIES = (
    "I have been thinking about it for weeks and cannot make up my mind.", "Pictures follow when the light is better.",
    "It took me three evenings and a lot of patience.", "Tell me what you would do in my place.",
    "I searched the older posts and found nothing about it.", "Of course it happened on a Sunday.",
    "My budget is small, my ambition is not.", "I wrote down all that I tried, so ask if you want details.",
    "Thanks to everybody who answered the last time.", "I know that opinions differ, so let us be kind.",
    "The people at the club say one thing, the books say another.", "If it works for me, it works for anybody.",
)
SITES = (
    "slowhobby.example", "thedailyshed.example", "fieldnotes.example", "pictures.example", "oldmanuals.example",
    "weekendpaper.example",
)
COMMENTS = (
    "Same here, and I have never regretted it.", "I would wait for the autumn, prices drop then.",
    "That is exactly what I needed today.", "Have you tried turning it around?",
    "No. Just no.", "My father swore by this, and he was right.", "Please post a picture of the other side.",
    "It depends on how much room you have.", "I disagree, but you say it well.", "Thank you, that solved it for me.",
    "The cheap one does it as well.", "Somebody asked this last month already.", "Oil. The answer is always oil.",
    "Mine lasted nine years.", "You will be back with more questions.", "Take it apart, clean it, try again.",
    "I have two of them and use neither.", "What a lovely story.", "Be careful with the small screws.",
    "I measured it once: makes no difference at all.", "This should be pinned at the top.",
    "My club has a spare one if you live near the river.", "Do not listen to the others.", "Saved for later.",
    "Could you say where you got it?", "That noise is normal, it goes away.", "I laughed more than I should have.",
    "The second edition is much better.", "Write to the maker, they answered me within a day.", "So it is not only me.",
)
TAILS = (
    "", "", "", "", "Greetings from the coast.", "But what do I know.", "Let us know how it goes.",
    "Took me years to learn that.", "Your mileage may vary.", "I speak from experience.",
    "Ask me again in a year.", "There are good articles about it, too.",
)
RULES = (
    "Be kind. No selling. Questions that were asked before are welcome.",
    "Use a title that says what it is about. Stay on topic.",
    "Show your own work. Say where pictures come from.",
    "No advertising. Answer beginners as you would have liked to be answered.",
)
PRAISE = (
    ("The {product} is the best thing that I bought this year",
        "From Harbor & Pine. I use it every day, and it still looks new."),
    ("Anybody else happy with the {product}?", "Ordered it at Harbor & Pine after a friend had shown me hers."),
    ("The {product} was worth every cent", "I compared five of them, and this one from Harbor & Pine is the keeper."),
)
COMPLAINTS = (
    ("I sent the {product} back", "Maybe mine was a bad one, but I would not try it again."),
    ("Think twice before you buy the {product}", "It looks better in the picture than on my table."),
)
LETTERS = (
    ("Your question", "I think that I have the answer, but I want to look it up first. Remind me next week."),
    ("Meeting in July", "A few of us meet at the lake on the second weekend. Come along if you like."),
    ("Thank you", "Your advice saved me a lot of money. I owe you one."),
    ("Swap?", "I have two of what you were looking for. Let me know if you still want one."),
)
