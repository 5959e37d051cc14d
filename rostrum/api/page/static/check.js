// The page Check: print, and go to the report once it is there. The page works without it.

document.querySelector("[data-print]")?.addEventListener("click", () => print());
document.getElementById("report-title")?.focus();
