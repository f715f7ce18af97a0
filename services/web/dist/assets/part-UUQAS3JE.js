import{a as S,c as H,d as G,e as q}from"./part-OL7CQMT7.js";import{C as A,E as y,M as k,S as V,ca as W,k as U,l as D,m as I,o as _,u as P,w as j,x as g,y as E,z as B}from"./page-GYLERVA4.js";var M=class{constructor(r,o,i){this.width=r;this.height=o;let t=[...Y("GIF89a"),...x(r),...x(o),247,0,0];for(let n=0;n<256;n+=1){let e=i[n]??0;t.push(e>>16,e>>8&255,e&255)}t.push(33,255,11,...Y("NETSCAPE2.0"),3,1,0,0,0),this.parts.push(Uint8Array.from(t))}width;height;parts=[];before=null;add({pixels:r,delay:o}){let{left:i,top:t,width:n,height:e}=this.changed(r),s=new Uint8Array(n*e);for(let d=0;d<e;d+=1)for(let u=0;u<n;u+=1){let m=(t+d)*this.width+i+u;s[d*n+u]=this.before?.[m]===r[m]?255:r[m]}let l=[33,249,4,5,...x(o),255,0],c=[44,...x(i),...x(t),...x(n),...x(e),0,8];this.parts.push(Uint8Array.from([...l,...c]),...z(J(s))),this.before=r}finish(){return new Blob([...this.parts,Uint8Array.of(59)],{type:"image/gif"})}changed(r){let{before:o}=this;if(!o)return{left:0,top:0,width:this.width,height:this.height};let[i,t,n,e]=[this.width,-1,this.height,-1];for(let s=0;s<r.length;s+=1){if(r[s]===o[s])continue;let[l,c]=[s%this.width,Math.floor(s/this.width)];l<i&&(i=l),l>t&&(t=l),c<n&&(n=c),e=c}return t<0?{left:0,top:0,width:1,height:1}:{left:i,top:n,width:t-i+1,height:e-n+1}}},Y=a=>[...a].map(r=>r.charCodeAt(0)),x=a=>[a&255,a>>8];function z(a){let r=[];for(let o=0;o<a.length;o+=255){let i=a.subarray(o,o+255);r.push(Uint8Array.of(i.length),i)}return[...r,Uint8Array.of(0)]}var O=new Uint16Array(1048576);function J(a){let[r,o]=[256,257],i=[],[t,n,e,s]=[0,0,9,o+1],l=d=>{for(t|=d<<n,n+=e;n>=8;n-=8,t>>>=8)i.push(t&255)};O.fill(0),l(r);let c=a[0];for(let d=1;d<a.length;d+=1){let u=c<<8|a[d],m=O[u];if(m!==0){c=m;continue}if(l(c),c=a[d],s===4096){l(r),O.fill(0),[e,s]=[9,o+1];continue}s===1<<e&&(e+=1),O[u]=s,s+=1}return l(c),s===1<<e&&e<12&&(e+=1),l(o),n>0&&i.push(t&255),Uint8Array.from(i)}async function N(a){let{session:r,reviewer:o,moveTexts:i}=a,t=r.table.value,n=o.current(),e=n?.summary?n.path:t.tree.tip(r.view.value.node).path;return await r.load(e.at(-1)),await Promise.all(e.slice(1).map(s=>i.askNode(s))),e.flatMap(s=>{let l=r.viewAt(s);if(!l)return[];let c=n?.moves.get(s)??null,d=c?.label?`${y[c.label]} ${g().labels[c.label]}`:"",u=s.parent?`${_(s,t.variant.seats.length,!0)} ${s.move}`:"";return[{node:s,view:l,reviewed:c,move:u,label:d,isMistake:o.worse(s)!==null&&d!==""}]})}var v=class{constructor(r){this.app=r}app;board=new I(W(g()));draw({view:r,node:o},i){let{session:t,reviewer:n}=this.app,e=i?n.worse(o):null,s=o.parent&&t.viewAt(o.parent),l=e&&s?D(e.bestMove,s.reading,"better"):{rings:[],arrows:[],turns:[]};return this.board.setLayout(r.reading.layout),this.board.setMarks(j(t.table.value.variant.seats.length)),this.board.setPieces(r.position.board),this.board.setAnnotations({...U,last:r.last,lastBlocks:r.lastBlocks,...l}),this.board.element}};function Z(a,r){let o=new Map;for(let t of a)for(let n=0;n<t.length;n+=4){let e=t[n]>>3<<10|t[n+1]>>3<<5|t[n+2]>>3;o.set(e,(o.get(e)??0)+1)}let i=[C([...o].map(([t,n])=>({channels:[t>>10<<3,(t>>5&31)<<3,(t&31)<<3],n})))];for(;i.length<r;){let t=i.reduce((n,e)=>e.weight>n.weight?e:n);if(t.weight===0)break;i.splice(i.indexOf(t),1,...Q(t))}return i.map(ee)}function C(a){let r=[0,1,2].map(t=>{let n=a.map(e=>e.channels[t]);return n.reduce((e,s)=>Math.max(e,s),0)-n.reduce((e,s)=>Math.min(e,s),255)}),o=r.indexOf(Math.max(...r)),i=a.reduce((t,n)=>t+n.n,0);return{colours:a,channel:o,weight:a.length>1?r[o]*Math.sqrt(i):0}}function Q({colours:a,channel:r}){let o=[...a].sort((n,e)=>n.channels[r]-e.channels[r]),i=o.reduce((n,e)=>n+e.n,0)/2,t=0;for(let n=0;t<o.length-1&&(t===0||n+o[t].n<=i);t+=1)n+=o[t].n;return[C(o.slice(0,t)),C(o.slice(t))]}function ee({colours:a}){let r=a.reduce((i,t)=>i+t.n,0),o=i=>Math.min(255,Math.round(a.reduce((t,n)=>t+n.channels[i]*n.n,0)/r)+4);return o(0)<<16|o(1)<<8|o(2)}var T=class{constructor(r){this.palette=r}palette;known=new Int16Array(32768).fill(-1);map(r){let o=new Uint8Array(r.length/4);for(let i=0;i<o.length;i+=1){let[t,n,e]=[r[4*i],r[4*i+1],r[4*i+2]],s=t>>3<<10|n>>3<<5|e>>3,l=this.known[s];l<0&&(this.known[s]=l=this.nearest(t,n,e)),o[i]=l}return o}nearest(r,o,i){let[t,n]=[0,1/0];return this.palette.forEach((e,s)=>{let l=2*((e>>16)-r)**2+4*((e>>8&255)-o)**2+3*((e&255)-i)**2;l<n&&([t,n]=[s,l])}),t}};var $=480,te="#f7f1e6",L=44,re=110,ne=260,oe=400,ae=6,ie=255;async function se(a,r){let o=await N(a),i=new v(a),{width:t,height:n}=i.draw(o[0],!1).viewBox.baseVal,e=document.createElement("canvas");e.width=$,e.height=Math.round($*n/t)+L;let s=e.getContext("2d",{willReadFrequently:!0}),l=async p=>{let b=new Image;return b.src=`data:image/svg+xml,${encodeURIComponent(k(i.draw(p,!0),$))}`,await b.decode(),s.fillStyle=te,s.fillRect(0,0,e.width,e.height),s.drawImage(b,0,0,$,e.height-L),le(s,p,a,e.height),s.getImageData(0,0,e.width,e.height).data},c=Math.max(1,Math.floor(o.length/ae)),d=[];for(let p of o.filter((b,w)=>w%c===0||w===o.length-1))d.push(await l(p));let u=Z(d,ie),m=new T(u),h=new M(e.width,e.height,u);for(let[p,b]of o.entries()){let w=p===o.length-1?oe:b.isMistake?ne:re;h.add({pixels:m.map(await l(b)),delay:w}),r(p+1,o.length),await new Promise(R=>setTimeout(R))}return h.finish()}function le(a,r,o,i){let{session:t}=o,{variant:n,details:e}=t.table.value,s=i-L;a.font="600 17px system-ui, sans-serif",a.textBaseline="middle",a.fillStyle=r.isMistake?"#a81f2b":"#2b231b";let l=r.view.mover===null?"":`${t.seatName(r.view.mover)} `,c=r.view.position.outcome?.text??"",d=r.move?`${l}${r.move} ${r.label}`:`${e.name} · ${n.name}`;a.fillText([d.trim(),c].filter(Boolean).join(" · "),12,s+14,$-24);let u=r.reviewed?.after.scores;if(!u)return;let m=12;for(let[h,p]of n.seats.entries()){let b=($-24)*(u[p]??0);a.fillStyle=ce(t.layout?.pieces.find(w=>w.seat===p)?.fill??"",h),a.fillRect(m,s+28,b,11),m+=b}a.strokeStyle="#8d7c67",a.strokeRect(12.5,s+28.5,$-25,10),a.fillStyle="#2b231b"}var F=["#d9cdb8","#4a3b2c","#3c9a4b","#2f6fc4"],ce=(a,r)=>a||F[r%F.length];var me=6;function de(a){let{session:r,reviewer:o}=a,{details:i,variant:t,position:n,tree:e}=r.table.value,s=o.current(),l=g(),c=r.positionAt(s.path.at(-1))?.outcome,d=Object.entries(s.summary?.seats??{}).map(([h,p])=>`${r.seatName(h)} ${p.accuracy===null?"–":E(p.accuracy/100)}`).join(", "),u={game:i.id,variant:t.id,position:n,result:c?.text??null,accuracy:d},m=h=>{let p=s.moves.get(h);if(!p?.label)return null;let b=o.worse(h),w=`${B(p.before,p.seat)} → ${B(p.after,p.seat)}`;return{comment:`${y[p.label]} ${l.labels[p.label]}${b?`, ${w}`:""}`,better:b?(b.bestLine.length>0?b.bestLine:[b.bestMove]).slice(0,me):[]}};return V(u,e,t.seats.length,m)}var K=`
:root { color-scheme: light dark; --ink: light-dark(#2b231b, #ece6db); --card: light-dark(#fffdf8, #202226); --muted: light-dark(#6a5c4c, #b3a999); --rule: light-dark(#ddd0bb, #3a3d43); --bad: light-dark(#a81f2b, #ff8f8f); --good: light-dark(#1d6b3a, #7fd69b); --warn: light-dark(#7a5a00, #e3c25c); --accent: light-dark(#a63a27, #f08b72); font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; background: light-dark(#f4eee2, #17181b); color: var(--ink); }
header { display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: baseline; justify-content: space-between; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: .8rem 0 .4rem; } p { margin: .3rem 0; }
main { display: grid; gap: 0 1rem; align-items: start; grid-template-columns: minmax(0, 1fr); } @media (min-width: 46rem) { main { grid-template-columns: minmax(0, 5fr) minmax(0, 4fr); } }
section { background: var(--card); border: 1px solid var(--rule); border-radius: 12px; padding: 1rem; margin-bottom: 1rem; }
svg { width: 100%; height: auto; display: block; }
a { color: var(--accent); }
nav { display: flex; gap: .4rem; justify-content: center; margin: .5rem 0; }
nav button { font: inherit; min-width: 3rem; min-height: 2.5rem; border-radius: 8px; border: 1px solid var(--muted); background: none; color: inherit; cursor: pointer; }
#caption { min-height: 1.5em; text-align: center; font-weight: 600; }
.moves { list-style: none; padding: 0; margin: 0; columns: 11rem; }
.moves a { color: inherit; text-decoration: none; display: block; padding: .1rem .3rem; border-radius: 6px; }
.moves a[aria-current] { background: var(--accent); color: light-dark(#fff, #2a0f08); }
.moves a:not([aria-current]):is(.blunder, .mistake, .missed_win) span { color: var(--bad); } .moves a:not([aria-current]):is(.inaccuracy, .slower_win) span { color: var(--warn); } .moves a:not([aria-current]):is(.best, .good, .only_move) span { color: var(--good); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .15rem .4rem; border-top: 1px solid var(--rule); font-weight: 400; } tr:first-child > * { border: 0; font-weight: 600; }
dt { font-weight: 600; } dd { margin: 0 0 .3rem 1.5rem; color: var(--muted); }
.turns { grid-column: 1 / -1; } .turns > div { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); } figure { margin: 0; }
@media print { nav { display: none; } }
`,X=`
const { points, markup, frames } = JSON.parse(document.getElementById('frames').textContent);
const board = document.querySelector('#board svg');
const prefix = board.querySelector('defs [id]').id.split('-')[0];
const layers = points.map((point) => board.querySelector('[data-point="' + CSS.escape(point) + '"]'));
const marks = board.querySelector('.marks');
const links = [...document.querySelectorAll('[data-frame]')];
let at = frames.length - 1;
function draw(element, index) {
  if (element.dataset.shown === String(index)) return;
  element.dataset.shown = index;
  element.innerHTML = markup[index].replaceAll('url(#BOARD-', 'url(#' + prefix + '-');
}
function show(n) {
  at = Math.max(0, Math.min(frames.length - 1, n));
  const frame = frames[at];
  layers.forEach((layer, i) => draw(layer, frame.pieces[i]));
  draw(marks, frame.marks);
  document.getElementById('caption').textContent = frame.text;
  links.forEach((link) => (Number(link.dataset.frame) === at ? link.setAttribute('aria-current', 'step') : link.removeAttribute('aria-current')));
}
const steps = { first: () => show(0), previous: () => show(at - 1), next: () => show(at + 1), last: () => show(frames.length - 1) };
for (const [id, step] of Object.entries(steps)) document.getElementById(id).addEventListener('click', step);
const keys = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last' };
addEventListener('keydown', (event) => {
  if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  steps[keys[event.key]]();
  event.preventDefault();
});
for (const link of links) link.addEventListener('click', (event) => {
  show(Number(link.dataset.frame));
  event.preventDefault();
});
show(frames.length - 1);
`;var pe=320,ue=640;async function fe(a){let r=await N(a),{details:o,variant:i}=a.session.table.value,t=`${o.name} · ${i.name}`,e=`<!doctype html>
<html lang="${P.value.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${f(`${t}: ${g().review}`)}</title>
<style>${K}</style>
</head>
<body>
<header><h1>${f(t)}</h1><p><a href="${f(location.href)}">${f(S().review.openGame)}</a></p></header>
<main>
${be(a,r)}
<div>
${he(a)}
${ge(a)}
</div>
${we(a,r)}
</main>
<script type="application/json" id="frames">${JSON.stringify(ve(a,r)).replace(/</g,"\\u003c")}<\/script>
<script>${X}<\/script>
</body>
</html>
`;return new Blob([e],{type:"text/html"})}var f=a=>a.replace(/[&<>"']/g,r=>`&#${r.charCodeAt(0)};`);function he(a){let o=G(a.reviewer.current(),a.session).map(({text:i,node:t})=>`<p>${t?`<b>${f(A(t.move,a.moveTexts.ofNode(t)))}</b> `:""}${f(i)}</p>`);return`<section><h2>${f(S().review.story)}</h2>${o.join(`
`)}</section>`}function be(a,r){let o=g(),i=new v(a).draw(r.at(-1),!1),t=[["first",o.first,"|◀"],["previous",o.previous,"◀"],["next",o.next,"▶"],["last",o.last,"▶|"]].map(([e,s,l])=>`<button type="button" id="${e}" aria-label="${f(s)}">${l}</button>`).join(""),n=r.slice(1).map((e,s)=>`<li><a href="#${s+1}" data-frame="${s+1}" class="${e.reviewed?.label??""}">${f(e.move)} <span>${f(e.label)}</span></a></li>`);return`<section class="play"><div id="board">${k(i,ue)}</div>
<p id="caption" role="status"></p>
<nav aria-label="${f(o.moves)}">${t}</nav>
<ol class="moves">${n.join(`
`)}</ol></section>`}function ge(a){let{session:r,reviewer:o}=a,i=g(),t=S().review,n=Object.entries(o.current().summary.seats),e=(m,h)=>`<tr><th scope="row">${m}</th>${h.map(p=>`<td>${p}</td>`).join("")}</tr>`,s=q.filter(m=>n.some(([,h])=>h.labels[m])),l=`<tr><td></td>${n.map(([m])=>`<th scope="col">${f(r.seatName(m))}</th>`).join("")}</tr>`,c=e(f(i.accuracy),n.map(([,m])=>m.accuracy===null?"–":E(m.accuracy/100))),d=s.map(m=>e(`${y[m]} ${f(i.labels[m])}`,n.map(([,h])=>String(h.labels[m]??0)))),u=s.map(m=>`<dt>${y[m]} ${f(i.labels[m])}</dt><dd>${f(t.meanings[m])}</dd>`);return`<section><table>${l}${c}${d.join("")}</table>
<h2>${f(t.legend)}</h2><dl>${u.join("")}</dl><p>${f(t.accuracyMeaning)}</p></section>`}function we(a,r){let o=new v(a),i=g(),t=H(a.reviewer.current()).flatMap(n=>{let e=r.find(l=>l.node===n);if(!e)return[];let s=e.reviewed?.bestMove?` ${i.better}: ${A(e.reviewed.bestMove,e.reviewed.bestMoveText)}`:"";return[`<figure>${k(o.draw(e,!0),pe)}<figcaption>${f(`${A(e.move,a.moveTexts.ofNode(e.node))} ${e.label}.${s}`)}</figcaption></figure>`]});return t.length>0?`<section class="turns"><h2>${f(i.turningPoints)}</h2><div>${t.join(`
`)}</div></section>`:""}function ve(a,r){let o=new v(a),i=[],t=new Map,n=c=>{let d=t.get(c)??i.push(c)-1;return t.set(c,d),d},e=[],s=r.map(c=>{let d=o.draw(c,!0),u=[...d.querySelectorAll("[data-point]")];e=u.map(h=>h.dataset.point);let m=c.view.mover===null?"":`${a.session.seatName(c.view.mover)}: `;return{pieces:u.map(h=>n(h.innerHTML)),marks:n(d.querySelector(".marks").innerHTML),text:`${m}${A(c.move,a.moveTexts.ofNode(c.node))} ${c.label}`.trim()}}),l=/url\(#b\d+-/.exec(i.join(""))?.[0];return{points:e,markup:l?i.map(c=>c.replaceAll(l,"url(#BOARD-")):i,frames:s}}export{se as filmOf,de as labelledText,fe as reportOf};
