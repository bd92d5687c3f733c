// The page as HTML in which controls hold what they hold at the moment, without the marks of BrowserGym.
() => {
    const live = document.documentElement;
    const copy = live.cloneNode(true);
    const copies = copy.querySelectorAll("*");
    live.querySelectorAll("*").forEach((element, index) => {
        const made = copies[index];
        for (const name of ["bid", "browsergym_visibility_ratio", "browsergym_set_of_marks"]) {
            made.removeAttribute(name);
        }
        const tag = element.tagName;
        if (tag === "INPUT") {
            if (element.type === "checkbox" || element.type === "radio") {
                made.toggleAttribute("checked", element.checked);
            } else {
                made.setAttribute("value", element.value);
            }
        } else if (tag === "OPTION") {
            made.toggleAttribute("selected", element.selected);
        } else if (tag === "TEXTAREA") {
            made.textContent = (element.value.startsWith("\n") ? "\n" : "") + element.value;
        }
        if (tag === "SELECT" || tag === "TEXTAREA" || tag === "LI") {
            made.removeAttribute("value");
        }
    });
    return "<!DOCTYPE html>" + copy.outerHTML;
}
