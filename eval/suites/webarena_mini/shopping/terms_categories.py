"""The shop's terms for single categories: what is made of `{category}`, `{months}`, `{years}` and `{pieces}`.

A category's section is its warranty, its own sentences, and one sentence of each of the shared groups below.
"""

from __future__ import annotations

# fmt: off
WARRANTY = "Warranty on {category}: {months} months from delivery."

CLAIMS = (
    "To claim, send a message with the order number, one photograph of the whole article and one of the fault; most "
    "claims are decided on the same day.",
    "Please describe in a sentence or two what you did when the fault appeared, as our workshop has to see it happen "
    "before it can repair it.",
    "You need not keep the box for a claim. The order number is enough, and it does not matter who uses the article "
    "today.",
    "If the fault shows again after a repair, we no longer argue: you choose between another piece and the price that "
    "you paid.",
    "Articles that were a present can be claimed by whoever received them, provided the buyer's order number is known.",
)
RETURNS = (
    "For a return, put everything back that was in the box, the printed instructions included, and fix the lid with "
    "tape rather than with string.",
    "Trying something out as you would in a store is fine and does not count as use; anything beyond that lowers the "
    "amount that we can refund.",
    "Please shake out dust, crumbs and sand before you pack the article, since the carrier may refuse dirty parcels.",
    "When several pieces of this category are returned together, one label is enough as long as they fit into one box.",
    "If you are not sure whether an article counts as used, write to us before you send it, so that nobody is "
    "disappointed afterwards.",
)
PARTS = (
    "We keep spare parts for {years} years after the last piece was sold and send small ones free of charge.",
    "Spare parts can be had for {years} years; screws, caps and feet cost nothing but the stamp.",
    "The makers have promised us spare parts for {years} years, and we hold the usual ones in our own warehouse.",
    "For {years} years after a model ends we still find parts for it, sometimes from a piece that came back.",
)
LIMITS = (
    "Households that order more than {pieces} pieces at once may be asked what they are for, as this stock is small.",
    "We reserve stock for {pieces} pieces a customer in the weeks before the holidays, and whatever is left is shared "
    "out in the order of arrival.",
    "A single box holds up to {pieces} pieces of this category; larger quantities arrive in several boxes, not always "
    "on one day.",
    "Offers for this category are meant for up to {pieces} pieces, after that the normal price counts.",
)

OWN: dict[str, tuple[str, str]] = {
    "coffee-tea": (
        "Limescale is not a fault. Descale kettles and frothers when the water tastes flat, and let the burrs of a "
        "grinder run empty before you wash the bowl.",
        "Glass jugs are covered against faults in the material but not against falls, and stains by strong tea are "
        "left to your taste."),
    "cookware": (
        "Heat pans slowly and on a burner of their own width. Blue shades on steel, loosened seasoning and traces of "
        "metal spoons are signs of use.",
        "A lid that no longer fits after the pot was heated empty is not covered; handles that work loose are, however "
        "often they do."),
    "food-storage": (
        "Seals are wearing parts and are covered for half of the period. Boxes with a wooden lid should be wiped "
        "rather than soaked.",
        "Scents that a box has taken on from its content cannot be removed by us, so boxes that smell of garlic stay "
        "with you."),
    "lighting": (
        "Bulbs are covered only where they cannot be changed. Switches, cables and joints are covered in full, as long "
        "as the lamp was not used outdoors.",
        "Please measure the height of your ceiling first: floor lamps that were shortened can't be taken back."),
    "bedding": (
        "Pillows and toppers need two days in the open to find their shape, and they smell of the factory until then. "
        "Pilling in the first weeks is normal for soft yarns.",
        "For reasons of hygiene we take bedding back only in its bag with the seal unbroken, except when a seam has "
        "opened."),
    "cleaning-laundry": (
        "Bristles, pads and cloths wear out and are not covered. Hinges, handles and the frames of drying racks are, "
        "up to the load printed on them.",
        "Never fill spray mops with bleach; the pump does not survive it and the warranty ends with it."),
    "headphones": (
        "Cushions and cables that can be unplugged are covered for one year at most. A battery that holds more than "
        "two thirds of its charge is considered sound.",
        "Please reset the pairing before you send a headset in, or the workshop will hear your telephone ring."),
    "speakers": (
        "A cone that was torn by too much volume can be told from a faulty one, and we look before we answer. Shower "
        "models withstand splashes, not diving.",
        "Two speakers sold as a pair are matched at the factory, so we exchange both even when one is in order."),
    "power-charging": (
        "Use the cable that came with the device. Plugs that turned brown point to a loose socket in the wall, which "
        "an electrician should see before you go on using it.",
        "Power banks may not travel by air, so returns of these go by road and take somewhat longer than others."),
    "skin-care": (
        "The date on the bottom counts for closed jars; after opening most creams keep for half a year. A change of "
        "shade in sunlight does no harm.",
        "Stop using a product if your skin burns. We refund the first jar even when it is open, once for each "
        "article."),
    "hair-care": (
        "Clean the filter of a dryer once a month; a motor that choked on dust is not covered. Clipper blades are to "
        "be oiled and are wearing parts.",
        "Brushes can be returned while the band around the bristles is in place, and no longer after that."),
    "oral-care": (
        "Heads, nozzles and travel cases are not covered, motors and chargers are. Rinse the flosser with warm water "
        "so that the valve does not stick.",
        "Once the foil around a head is open, we cannot sell it to anyone else, and it can't be sent back."),
    "jackets": (
        "Proofing washes out after some ten washes and has to be renewed with spray. Zips, seams and press buttons are "
        "covered without any ifs, also when the jacket was worn daily.",
        "Try jackets on over the sweater that you mean to wear; an exchange for another cut is a return and a new "
        "order."),
    "shoes": (
        "Soles wear down, and that is what they are for. A sole that comes off in one piece is a fault, whatever the "
        "distance was.",
        "Walk on a carpet at home at first. Shoes that have seen the street have been used, even if for one block "
        "only."),
    "bags": (
        "Straps and buckles are covered up to the weight given inside of the bag. Leather darkens where hands touch "
        "it, and canvas fades by the window.",
        "Empty all pockets, the hidden one too: we can't search for rings and keys that travelled back with a bag."),
    "camping": (
        "Air tents before you store them, as mildew is not covered. Poles that broke in a storm are repaired at half "
        "the usual charge.",
        "Lanterns and coolers must be dry and without batteries on their way to us, and tents folded with all of "
        "their pegs."),
    "fitness": (
        "Rubber smells at first and leaves marks on pale floors, so put something beneath it. Bands should be looked "
        "at for small tears every few weeks.",
        "Weights are heavy to post: the free label holds for one piece a parcel, and further ones go at cost."),
    "cycling": (
        "A helmet that had a fall has done its duty and must be replaced; we give a fifth off the next. Mounts are "
        "covered on paved roads.",
        "Lights come with a test charge. Load them fully once before you conclude that they are faulty."),
    "board-games": (
        "Count the pieces when you open the box. Missing tiles, cards and dice are sent by letter within the warranty, "
        "and nobody asks how they were lost the first time.",
        "Games can be returned while the inner bags are closed; reading the rules beforehand is allowed."),
    "building-sets": (
        "Wooden rails swell in damp rooms and shrink again near a stove. Please wait for a day before you report that "
        "two of them do not fit.",
        "Small parts are a danger to children below three, and sets with a missing warning are exchanged at once."),
    "plush-toys": (
        "Seams and eyes are tested before they leave us, and a seam that opens is mended free for as long as the toy "
        "is loved. Wash at a low heat and dry in the air.",
        "Labels must still be on the toy when it comes back. A chewed ear counts as use, however small."),
    "garden-tools": (
        "Blades need oil and hoses must be emptied before the frost; cracks made by ice are not covered. Wooden "
        "shafts break in the grain only when there was a fault.",
        "Brush the soil off. Parcels with earth in them are stopped at the border of several states."),
    "planters": (
        "Pots of clay take up water, and white edges are lime that comes off with vinegar. Outdoors they should stand "
        "on feet in winter.",
        "Planters are packed by hand. Keep the moulded shells for a month, since they are the only ones that fit."),
    "pet-supplies": (
        "Scratching posts are there to be scratched: worn sisal is not a fault, a wobbling pole is. Change the filter "
        "of a fountain every month.",
        "We cannot take back beds that an animal has slept in, for the sake of the next animal."),
}
# fmt: on
