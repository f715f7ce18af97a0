import{a as k,c as j,d as H,e as G}from"./part-HPRTO6R6.js";import{A as y,I as A,O as q,Z as V,k as R,l as U,m as D,s as I,u as _,v as g,w as S,x as C,y as P}from"./page-A4Z6P3RH.js";var O=class{constructor(r,o,i){this.width=r;this.height=o;let t=[...Y("GIF89a"),...x(r),...x(o),247,0,0];for(let n=0;n<256;n+=1){let e=i[n]??0;t.push(e>>16,e>>8&255,e&255)}t.push(33,255,11,...Y("NETSCAPE2.0"),3,1,0,0,0),this.parts.push(Uint8Array.from(t))}width;height;parts=[];before=null;add({pixels:r,delay:o}){let{left:i,top:t,width:n,height:e}=this.changed(r),s=new Uint8Array(n*e);for(let p=0;p<e;p+=1)for(let u=0;u<n;u+=1){let m=(t+p)*this.width+i+u;s[p*n+u]=this.before?.[m]===r[m]?255:r[m]}let l=[33,249,4,5,...x(o),255,0],c=[44,...x(i),...x(t),...x(n),...x(e),0,8];this.parts.push(Uint8Array.from([...l,...c]),...X(z(s))),this.before=r}finish(){return new Blob([...this.parts,Uint8Array.of(59)],{type:"image/gif"})}changed(r){let{before:o}=this;if(!o)return{left:0,top:0,width:this.width,height:this.height};let[i,t,n,e]=[this.width,-1,this.height,-1];for(let s=0;s<r.length;s+=1){if(r[s]===o[s])continue;let[l,c]=[s%this.width,Math.floor(s/this.width)];l<i&&(i=l),l>t&&(t=l),c<n&&(n=c),e=c}return t<0?{left:0,top:0,width:1,height:1}:{left:i,top:n,width:t-i+1,height:e-n+1}}},Y=a=>[...a].map(r=>r.charCodeAt(0)),x=a=>[a&255,a>>8];function X(a){let r=[];for(let o=0;o<a.length;o+=255){let i=a.subarray(o,o+255);r.push(Uint8Array.of(i.length),i)}return[...r,Uint8Array.of(0)]}var E=new Uint16Array(1048576);function z(a){let[r,o]=[256,257],i=[],[t,n,e,s]=[0,0,9,o+1],l=p=>{for(t|=p<<n,n+=e;n>=8;n-=8,t>>>=8)i.push(t&255)};E.fill(0),l(r);let c=a[0];for(let p=1;p<a.length;p+=1){let u=c<<8|a[p],m=E[u];if(m!==0){c=m;continue}if(l(c),c=a[p],s===4096){l(r),E.fill(0),[e,s]=[9,o+1];continue}s===1<<e&&(e+=1),E[u]=s,s+=1}return l(c),s===1<<e&&e<12&&(e+=1),l(o),n>0&&i.push(t&255),Uint8Array.from(i)}async function M(a){let{session:r,reviewer:o}=a,i=r.table.value,t=o.current(),n=t?.summary?t.path:i.tree.tip(r.view.value.node).path;return await r.load(n.at(-1)),n.flatMap(e=>{let s=r.viewAt(e);if(!s)return[];let l=t?.moves.get(e)??null,c=l?.label?`${y[l.label]} ${g().labels[l.label]}`:"",p=e.parent?`${P(e,i.variant.seats.length,!0)} ${e.move}`:"";return[{node:e,view:s,reviewed:l,move:p,label:c,isMistake:o.worse(e)!==null&&c!==""}]})}var v=class{constructor(r){this.app=r}app;board=new D(V(g()));draw({view:r,node:o},i){let{session:t,reviewer:n}=this.app,e=i?n.worse(o):null,s=o.parent&&t.viewAt(o.parent),l=e&&s?U(e.bestMove,s.reading,"better"):{rings:[],arrows:[],turns:[]};return this.board.setLayout(r.reading.layout),this.board.setMarks(_(t.table.value.variant.seats.length)),this.board.setPieces(r.position.board),this.board.setAnnotations({...R,last:r.last,lastBlocks:r.lastBlocks,...l}),this.board.element}};function Z(a,r){let o=new Map;for(let t of a)for(let n=0;n<t.length;n+=4){let e=t[n]>>3<<10|t[n+1]>>3<<5|t[n+2]>>3;o.set(e,(o.get(e)??0)+1)}let i=[N([...o].map(([t,n])=>({channels:[t>>10<<3,(t>>5&31)<<3,(t&31)<<3],n})))];for(;i.length<r;){let t=i.reduce((n,e)=>e.weight>n.weight?e:n);if(t.weight===0)break;i.splice(i.indexOf(t),1,...J(t))}return i.map(Q)}function N(a){let r=[0,1,2].map(t=>{let n=a.map(e=>e.channels[t]);return n.reduce((e,s)=>Math.max(e,s),0)-n.reduce((e,s)=>Math.min(e,s),255)}),o=r.indexOf(Math.max(...r)),i=a.reduce((t,n)=>t+n.n,0);return{colours:a,channel:o,weight:a.length>1?r[o]*Math.sqrt(i):0}}function J({colours:a,channel:r}){let o=[...a].sort((n,e)=>n.channels[r]-e.channels[r]),i=o.reduce((n,e)=>n+e.n,0)/2,t=0;for(let n=0;t<o.length-1&&(t===0||n+o[t].n<=i);t+=1)n+=o[t].n;return[N(o.slice(0,t)),N(o.slice(t))]}function Q({colours:a}){let r=a.reduce((i,t)=>i+t.n,0),o=i=>Math.min(255,Math.round(a.reduce((t,n)=>t+n.channels[i]*n.n,0)/r)+4);return o(0)<<16|o(1)<<8|o(2)}var B=class{constructor(r){this.palette=r}palette;known=new Int16Array(32768).fill(-1);map(r){let o=new Uint8Array(r.length/4);for(let i=0;i<o.length;i+=1){let[t,n,e]=[r[4*i],r[4*i+1],r[4*i+2]],s=t>>3<<10|n>>3<<5|e>>3,l=this.known[s];l<0&&(this.known[s]=l=this.nearest(t,n,e)),o[i]=l}return o}nearest(r,o,i){let[t,n]=[0,1/0];return this.palette.forEach((e,s)=>{let l=2*((e>>16)-r)**2+4*((e>>8&255)-o)**2+3*((e&255)-i)**2;l<n&&([t,n]=[s,l])}),t}};var $=480,ee="#f7f1e6",T=44,te=110,re=260,ne=400,oe=6,ae=255;async function ie(a,r){let o=await M(a),i=new v(a),{width:t,height:n}=i.draw(o[0],!1).viewBox.baseVal,e=document.createElement("canvas");e.width=$,e.height=Math.round($*n/t)+T;let s=e.getContext("2d",{willReadFrequently:!0}),l=async d=>{let b=new Image;return b.src=`data:image/svg+xml,${encodeURIComponent(A(i.draw(d,!0),$))}`,await b.decode(),s.fillStyle=ee,s.fillRect(0,0,e.width,e.height),s.drawImage(b,0,0,$,e.height-T),se(s,d,a,e.height),s.getImageData(0,0,e.width,e.height).data},c=Math.max(1,Math.floor(o.length/oe)),p=[];for(let d of o.filter((b,w)=>w%c===0||w===o.length-1))p.push(await l(d));let u=Z(p,ae),m=new B(u),h=new O(e.width,e.height,u);for(let[d,b]of o.entries()){let w=d===o.length-1?ne:b.isMistake?re:te;h.add({pixels:m.map(await l(b)),delay:w}),r(d+1,o.length),await new Promise(L=>setTimeout(L))}return h.finish()}function se(a,r,o,i){let{session:t}=o,{variant:n,details:e}=t.table.value,s=i-T;a.font="600 17px system-ui, sans-serif",a.textBaseline="middle",a.fillStyle=r.isMistake?"#a81f2b":"#2b231b";let l=r.view.mover===null?"":`${t.seatName(r.view.mover)} `,c=r.view.position.outcome?.text??"",p=r.move?`${l}${r.move} ${r.label}`:`${e.name} · ${n.name}`;a.fillText([p.trim(),c].filter(Boolean).join(" · "),12,s+14,$-24);let u=r.reviewed?.after.scores;if(!u)return;let m=12;for(let[h,d]of n.seats.entries()){let b=($-24)*(u[d]??0);a.fillStyle=le(t.layout?.pieces.find(w=>w.seat===d)?.fill??"",h),a.fillRect(m,s+28,b,11),m+=b}a.strokeStyle="#8d7c67",a.strokeRect(12.5,s+28.5,$-25,10),a.fillStyle="#2b231b"}var W=["#d9cdb8","#4a3b2c","#3c9a4b","#2f6fc4"],le=(a,r)=>a||W[r%W.length];var ce=6;function me(a){let{session:r,reviewer:o}=a,{details:i,variant:t,position:n,tree:e}=r.table.value,s=o.current(),l=g(),c=r.positionAt(s.path.at(-1))?.outcome,p=Object.entries(s.summary?.seats??{}).map(([h,d])=>`${r.seatName(h)} ${d.accuracy===null?"–":S(d.accuracy/100)}`).join(", "),u={game:i.id,variant:t.id,position:n,result:c?.text??null,accuracy:p},m=h=>{let d=s.moves.get(h);if(!d?.label)return null;let b=o.worse(h),w=`${C(d.before,d.seat)} → ${C(d.after,d.seat)}`;return{comment:`${y[d.label]} ${l.labels[d.label]}${b?`, ${w}`:""}`,better:b?(b.bestLine.length>0?b.bestLine:[b.bestMove]).slice(0,ce):[]}};return q(u,e,t.seats.length,m)}var F=`
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
`,K=`
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
`;var pe=320,de=640;async function ue(a){let r=await M(a),{details:o,variant:i}=a.session.table.value,t=`${o.name} · ${i.name}`,e=`<!doctype html>
<html lang="${I.value.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${f(`${t}: ${g().review}`)}</title>
<style>${F}</style>
</head>
<body>
<header><h1>${f(t)}</h1><p><a href="${f(location.href)}">${f(k().review.openGame)}</a></p></header>
<main>
${he(a,r)}
<div>
${fe(a)}
${be(a)}
</div>
${ge(a,r)}
</main>
<script type="application/json" id="frames">${JSON.stringify(we(a,r)).replace(/</g,"\\u003c")}<\/script>
<script>${K}<\/script>
</body>
</html>
`;return new Blob([e],{type:"text/html"})}var f=a=>a.replace(/[&<>"']/g,r=>`&#${r.charCodeAt(0)};`);function fe(a){let o=H(a.reviewer.current(),a.session).map(({text:i,node:t})=>`<p>${t?`<b>${f(t.move)}</b> `:""}${f(i)}</p>`);return`<section><h2>${f(k().review.story)}</h2>${o.join(`
`)}</section>`}function he(a,r){let o=g(),i=new v(a).draw(r.at(-1),!1),t=[["first",o.first,"|◀"],["previous",o.previous,"◀"],["next",o.next,"▶"],["last",o.last,"▶|"]].map(([e,s,l])=>`<button type="button" id="${e}" aria-label="${f(s)}">${l}</button>`).join(""),n=r.slice(1).map((e,s)=>`<li><a href="#${s+1}" data-frame="${s+1}" class="${e.reviewed?.label??""}">${f(e.move)} <span>${f(e.label)}</span></a></li>`);return`<section class="play"><div id="board">${A(i,de)}</div>
<p id="caption" role="status"></p>
<nav aria-label="${f(o.moves)}">${t}</nav>
<ol class="moves">${n.join(`
`)}</ol></section>`}function be(a){let{session:r,reviewer:o}=a,i=g(),t=k().review,n=Object.entries(o.current().summary.seats),e=(m,h)=>`<tr><th scope="row">${m}</th>${h.map(d=>`<td>${d}</td>`).join("")}</tr>`,s=G.filter(m=>n.some(([,h])=>h.labels[m])),l=`<tr><td></td>${n.map(([m])=>`<th scope="col">${f(r.seatName(m))}</th>`).join("")}</tr>`,c=e(f(i.accuracy),n.map(([,m])=>m.accuracy===null?"–":S(m.accuracy/100))),p=s.map(m=>e(`${y[m]} ${f(i.labels[m])}`,n.map(([,h])=>String(h.labels[m]??0)))),u=s.map(m=>`<dt>${y[m]} ${f(i.labels[m])}</dt><dd>${f(t.meanings[m])}</dd>`);return`<section><table>${l}${c}${p.join("")}</table>
<h2>${f(t.legend)}</h2><dl>${u.join("")}</dl><p>${f(t.accuracyMeaning)}</p></section>`}function ge(a,r){let o=new v(a),i=g(),t=j(a.reviewer.current()).flatMap(n=>{let e=r.find(l=>l.node===n);if(!e)return[];let s=e.reviewed?.bestMove?` ${i.better}: ${e.reviewed.bestMove}`:"";return[`<figure>${A(o.draw(e,!0),pe)}<figcaption>${f(`${e.move} ${e.label}.${s}`)}</figcaption></figure>`]});return t.length>0?`<section class="turns"><h2>${f(i.turningPoints)}</h2><div>${t.join(`
`)}</div></section>`:""}function we(a,r){let o=new v(a),i=[],t=new Map,n=c=>{let p=t.get(c)??i.push(c)-1;return t.set(c,p),p},e=[],s=r.map(c=>{let p=o.draw(c,!0),u=[...p.querySelectorAll("[data-point]")];e=u.map(h=>h.dataset.point);let m=c.view.mover===null?"":`${a.session.seatName(c.view.mover)}: `;return{pieces:u.map(h=>n(h.innerHTML)),marks:n(p.querySelector(".marks").innerHTML),text:`${m}${c.move} ${c.label}`.trim()}}),l=/url\(#b\d+-/.exec(i.join(""))?.[0];return{points:e,markup:l?i.map(c=>c.replaceAll(l,"url(#BOARD-")):i,frames:s}}export{ie as filmOf,me as labelledText,ue as reportOf};
