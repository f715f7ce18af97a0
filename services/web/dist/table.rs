// Written by build.mjs.
&[
    ("/assets/first-2e517d33bd.js", include_bytes!("assets/first-2e517d33bd.js")),
    ("/assets/page-c620a8eed8.js", include_bytes!("assets/page-c620a8eed8.js")),
    ("/assets/page-9f3a7f618e.css", include_bytes!("assets/page-9f3a7f618e.css")),
    ("/assets/icon-1966196cf5.svg", include_bytes!("assets/icon-1966196cf5.svg")),
    ("/index.html", include_bytes!("index.html")),
    ("/embed/v1/pentad-board.js", include_bytes!("embed/v1/pentad-board.js")),
    ("/embed/v1/example.js", include_bytes!("embed/v1/example.js")),
    ("/embed/v1/example.css", include_bytes!("embed/v1/example.css")),
    ("/embed/v1/example.html", include_bytes!("embed/v1/example.html")),
]
