"""The shop's terms, the sections that hold for every category. `{name}` is a fact of the world (see `world.py`)."""

from __future__ import annotations

# fmt: off
GENERAL: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Who we are", (
        "These terms apply between Harbor & Pine and everybody who buys something on this site. We opened in {founded} "
        "as a single store by the water, and we still pack every parcel in a warehouse of our own. Where these pages "
        "say \"we\" they mean the company; where they say \"you\" they mean the person whose name is on the account.",
        "Customer service answers the telephone on {support_phone}, Monday to Friday, {support_hours}. Letters that "
        "reach us through the contact form are answered within {reply_hours} hours on working days. Please have your "
        "order number at hand, because the people who answer cannot look up an order by the name of a product.",
        "Nothing that a member of our staff says on the telephone changes these terms, unless we confirm it to you in "
        "writing. If a court finds that one of the sentences below does not hold, the others remain as they are.",
    )),
    ("Your account", (
        "You must be at least {minimum_age} years old to open an account. The account is yours alone: please do not "
        "share the password, and tell us at once if you think that somebody else has used it. You are welcome to order "
        "for friends and relatives; simply keep their postal addresses in your address book.",
        "We may close an account that is used to resell our goods, to post reviews for money or to test stolen cards. "
        "We will write to you before we do so, and you keep every right from purchases that you have already paid for.",
        "An account on which nobody has signed in for {idle_years} years is deleted together with its wish list, its "
        "addresses and its newsletter choices. Records that tax law obliges us to keep are locked away rather than "
        "deleted; nobody in the shop can open them for advertising.",
    )),
    ("Prices and availability", (
        "Prices are shown in United States dollars and include everything except shipping. We check them with care, "
        "but with several hundred articles a slip can happen. If an article was offered at a price that is obviously "
        "wrong, we ask you whether you want it at the right one before anything leaves the warehouse.",
        "If you find the same article cheaper in another shop with its own warehouse within {price_match_days} days of "
        "your purchase, send us the address of the offer and we pay you the difference. This does not extend to "
        "auctions, to used or repaired goods, nor to closing-down sales.",
        "The stock figure on a product page is counted every night. Should the last piece turn out to be scratched, we "
        "order a new one; if the maker cannot supply it in {backorder_days} days, you get your money back and need not "
        "do anything for that.",
    )),
    ("Placing an order", (
        "What you see on the site is an invitation to buy. Your order is an offer, and the contract is made when the "
        "parcel is handed to the carrier. We may turn an offer down, for example because a payment was refused, or "
        "because the quantity looks like that of a dealer.",
        "Once an order has been placed, neither you nor our staff can withdraw it or exchange its articles, because "
        "picking starts within minutes. Please use the return procedure below for anything that you no longer want. "
        "We do not accept orders by telephone, by letter or in the comments of a review.",
        "Business customers who need more than {bulk_pieces} pieces of one article should ask for a quotation first. A "
        "quotation stays open for {quotation_days} days and names its own delivery date, which then replaces the usual "
        "one.",
    )),
    ("Payment", (
        "We accept the common credit and debit cards, gift cards of our own and bank transfer for quotations. The card "
        "is charged on the day of dispatch and never earlier. We store no card numbers; they are kept by our payment "
        "company, which gives us a token that is worthless to anyone else.",
        "If a payment is returned by your bank for reasons that are not our fault, we pass on the bank's fee, at most "
        "{bank_fee_dollars} dollars for each case. Invoices are kept for {invoice_years} years, and you can ask for "
        "another copy at any time during this period without charge.",
    )),
    ("Gift cards", (
        "A gift card is valid for {gift_card_months} months from the day of purchase. It can be used for several "
        "purchases until nothing is left on it, and two of them can be combined on one order. It cannot be exchanged "
        "for cash, except where the law of your state requires this for small remainders.",
        "Please treat the code like money. We replace a lost card if you still have the receipt and nobody has used "
        "the code in the meantime. If you return something that was paid for with a gift card, the amount goes back "
        "to that card, and its term starts anew.",
    )),
    ("Shipping and parcels", (
        "We ship to all of North America, from one warehouse. Small articles travel by letter post in padded envelopes "
        "made of paper, everything else in a box. A parcel weighs at most {parcel_pounds} pounds; what is heavier we "
        "divide into several parcels, and you pay the shipping fee once all the same.",
        "The carrier tries to deliver {delivery_attempts} times. After that, the parcel waits at the nearest depot and "
        "then comes back to us. If it came back because the address was incomplete, we send it out again as soon as "
        "you have told us the right one; the second journey is charged at cost.",
        "The time given for a shipping method counts working days and starts on the day after dispatch. Public "
        "holidays, snow and strikes can make it longer. We do not owe damages for a late parcel unless we promised the "
        "day in writing, but we will always help you find out where it is.",
    )),
    ("Store pickup", (
        "You may fetch an order at our store free of charge. We send you a message as soon as it lies ready. A pickup "
        "order is kept for {pickup_days} days, after which we put the goods back on the shelf and refund the price.",
        "Bring the message and some document with your photograph. Somebody else may come in your place if they show "
        "a note signed by you. Please look into the box while you are at the counter: whatever is missing or scratched "
        "can be put right on the spot, and that is easier for both of us.",
    )),
    ("Damage and loss on the way", (
        "Damage in transit must be reported within {damage_days} days of delivery. Please photograph the box from all "
        "sides, keep the packing material, and do not use the article. We send a replacement without waiting for the "
        "carrier's answer, and we collect the damaged piece at our own expense.",
        "A parcel counts as lost when its tracking has not moved for {lost_days} days. We then choose together with "
        "you between another parcel and your money. Should the first one turn up later, simply refuse it at the door.",
    )),
    ("Returns", (
        "Unused items can be returned within {return_days} days of delivery, for whatever reason. This period is the "
        "same for every category. Send us a message with the order number, print the label that we send you, and drop "
        "the parcel at any counter of the carrier.",
        "A restocking fee of {restocking_fee_percent}% applies to opened boxes, because we must inspect, clean and "
        "repack their content. There is no such fee if the article was faulty, if we sent the wrong one, or if the box "
        "is still sealed. Missing accessories are charged at the price of the spare part.",
        "We pay refunds within {refund_days} working days after the parcel has reached us, in the way in which you "
        "paid. The fee for the way to you is part of the refund if you return everything in the box; the way back is "
        "free in any case when you use our label.",
        "Some things cannot be returned once they are opened: cosmetics, toothbrush heads, earbud tips, and anything "
        "that was made or engraved for you. Pieces from a set come back together, since half of a set is no use to "
        "the next customer.",
    )),
    ("Repairs", (
        "Before we replace something under warranty we try to repair it. Our workshop needs at most {repair_days} days "
        "for a repair, counted from the day on which the article arrives there. If it takes us longer, you may ask "
        "for a new one instead, or for the price that you paid.",
        "Outside of the warranty you get an estimate first, which costs {estimate_dollars} dollars and is set off "
        "against the bill if you go ahead. Repaired parts carry a warranty of their own for {repaired_part_months} "
        "months. Please send no batteries that are swollen or leaking; take them to a collection point.",
    )),
    ("Reviews and other things you write", (
        "You may write about everything that we sell, also if you bought it elsewhere. Keep to the article: what it is "
        "like, how it held up, who should buy it and who should not. We remove insults, advertising, telephone numbers "
        "and reviews that were obviously meant for a different article, and we leave bad marks where they are.",
        "By sending us a text you allow us to show it on this site and in our newsletters. It remains yours, and you "
        "may ask us to take it down. Makers cannot pay to have a review removed, and our own staff may not rate what "
        "they sell.",
    )),
    ("Newsletters", (
        "Newsletters are free and come as often as you have chosen in your account. It may take {unsubscribe_hours} "
        "hours until a change reaches the computer that sends them. No newsletter contains an attachment or asks for "
        "a password; if one does, it is not from us, and we would be glad if you forwarded it.",
        "We count how many people open a newsletter but not who they are. A voucher from a newsletter is valid for "
        "{voucher_days} days, for one purchase, and cannot be added to another voucher.",
    )),
    ("Recycling and packaging", (
        "Our boxes are made of recycled board, the tape is paper, and the filling is starch that dissolves in water. "
        "We take back old electrical devices and batteries at the store, up to {recycling_devices} devices a visit, "
        "whether or not you buy a new one.",
        "Wooden pallets on which large deliveries stand belong to the carrier, who fetches them again on request. "
        "Please remove labels with your name before you give boxes away.",
    )),
    ("Complaints and law", (
        "Tell us first when something is wrong; most things can be solved with one letter. If our answer does not "
        "help, ask for the head of customer service, who reads each complaint in person and replies within "
        "{complaint_days} days. After that you may turn to the consumer office of your state.",
        "We are liable without limit for injury and for what we do on purpose. For slight negligence our liability is "
        "limited to the price of the order. These terms follow the law of the state in which our warehouse stands, "
        "and they do not take away any right that your own state gives you as a consumer.",
        "We may change these terms for future orders. The version that was shown on the day of your order applies to "
        "that order, and on request we send you older versions as far back as {version_years} years.",
    )),
)
# fmt: on
