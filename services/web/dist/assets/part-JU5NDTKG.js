var d=new Set;function n(e){if(d.has(e))return;d.add(e);let t=new CSSStyleSheet;t.replaceSync(e),document.adoptedStyleSheets=[...document.adoptedStyleSheets,t]}export{n as a};
