/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_picture_own.c - style and script of the pictures.
 *
 * The script searches, and goes from row to row by keys; without it all is there but that. It has neither < nor &. Its hash is what
 * scripts/test/html_check.py computes and asks for: the browser runs nothing else. */
#include "cmd/coverage/coverage_picture.h"

const struct html_own coverage_picture_own = {
    .style =
        ":root{--k0:#157a45;--k1:#006f8e;--k2:#3f51c4;--k3:#7d3aa8;--left:#8a6a00;--refused:#c2370a;--hit:#ffe9a8}\n"
        "@media(prefers-color-scheme:dark){:root{--k0:#5ccf8f;--k1:#4cc3e3;--k2:#93a4ff;--k3:#d09bf5;--left:#e3c04f;"
        "--refused:#ff8a5c;--hit:#4d4108}}\n"
        ".p0{--c:var(--k0)}.p1{--c:var(--k1)}.p2{--c:var(--k2)}.p3{--c:var(--k3)}.k1{--c:var(--dim)}.k2{--c:var(--left)}"
        ".k3{--c:var(--refused)}.io{--c:var(--fg)}\n"
        "section:has(.find){display:contents}\n"
        ".find{position:sticky;top:0;z-index:3;background:var(--bg);padding:8px 0;display:flex;flex-wrap:wrap;gap:6px 10px;"
        "align-items:center}\n"
        ".find input{font:inherit;padding:4px 8px;flex:1 1 200px;min-width:0;max-width:420px;color:inherit;background:var(--box);"
        "border:1px solid var(--line);border-radius:6px}\n"
        ".find button{font:inherit;font-size:.85em;padding:3px 9px;border:1px solid var(--c);border-left-width:6px;"
        "border-radius:6px;background:var(--box);color:inherit;cursor:pointer}\n"
        ".find .on{background:var(--hit)}\n"
        ".strip{margin:.4em 0;border:1px solid var(--line);overflow:hidden;cursor:pointer}\n.strip rect{fill:var(--c)}\n"
        ".strip .k1{fill-opacity:.4}\n"
        ".graph{display:flex}\n.graph .lines{flex:none;max-width:min(32vw,240px)}\n.rows{flex:1;min-width:0}\n"
        ".op{height:24px;line-height:24px;padding:0 6px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;font-size:13px;"
        "border-left:4px solid var(--c);cursor:default;scroll-margin:70px}\n"
        ".op i{color:var(--c);font-style:normal}\n.op>span{color:var(--dim)}\n"
        ".op.hit{background:var(--hit)}\n"
        ".op:hover,.op:focus,.op.at{background:var(--box);outline:2px solid var(--a);outline-offset:-2px}\n"
        ".tip{display:none;position:fixed;z-index:4;left:0;right:0;bottom:0;max-height:45vh;overflow:auto;padding:6px 14px;"
        "white-space:normal;line-height:1.4;background:var(--box);color:var(--fg);border-top:3px solid var(--c);"
        "overflow-wrap:anywhere}\n"
        ".tip h3{margin:.2em 0}\n.tip ul{margin:.2em 0 .5em;padding-left:1.2em}\n"
        ".op:focus>.tip,.op.at>.tip,.op:hover>.tip{display:block}\n.op:hover>.tip{z-index:5}\n"
        "@media(min-width:1000px){.rows{margin-right:372px}.tip{left:auto;right:max(16px,calc(50vw - 584px));bottom:auto;top:64px;"
        "width:360px;max-height:calc(100vh - 80px);border:1px solid var(--line);border-top:3px solid var(--c);border-radius:6px}}\n"
        ".e,.x{fill:none;stroke:var(--dim);stroke-width:1.5;vector-effect:non-scaling-stroke}\n"
        ".x{stroke:var(--b);stroke-width:2.5}\n"
        ".m{fill:none;stroke:var(--c);stroke-width:10;stroke-linecap:round;vector-effect:non-scaling-stroke}\n"
        ".m.k1{stroke-width:6}\n.m.k2,.m.k3{stroke-linecap:square;stroke-width:9}\n.m.io{stroke-width:5}\n",
    .script =
        "(function(){var d=document,q=d.getElementById('find'),out=d.getElementById('found'),hits=[],at=-1,kind='',"
        "rows=Array.from(d.querySelectorAll('.op')),kinds=Array.from(d.querySelectorAll('[data-kind]'));\n"
        "var words=rows.map(function(r){return r.textContent.toLowerCase()});\n"
        "function leave(){if(at>=0)hits[at].classList.remove('at')}\n"
        "function go(i){if(!hits.length)return;leave();at=(i+hits.length)%hits.length;hits[at].classList.add('at');"
        "hits[at].scrollIntoView({block:'center'});out.textContent=(at+1)+' of '+hits.length}\n"
        "function find(){var w=q.value.trim().toLowerCase();leave();at=-1;hits=rows.filter(function(r,i){"
        "var is=w?words[i].includes(w):kind!=='';if(kind)is=is?r.classList.contains(kind):false;"
        "r.classList.toggle('hit',is);return is});out.textContent=w||kind?hits.length+' found':''}\n"
        "function choose(k){kind=k;kinds.forEach(function(b){b.classList.toggle('on',b.dataset.kind===k)});find()}\n"
        "q.addEventListener('input',find);\n"
        "q.addEventListener('keydown',function(e){if(e.key==='Enter'){e.preventDefault();go(at>=0?at+(e.shiftKey?-1:1):0)}"
        "if(e.key==='Escape'){q.value='';choose('')}});\n"
        "kinds.forEach(function(b){b.addEventListener('click',"
        "function(){if(kind!==b.dataset.kind)choose(b.dataset.kind);go(at+1)});"
        "b.addEventListener('keydown',function(e){if(e.key==='Escape')choose('')})});\n"
        "rows.forEach(function(r,i){r.tabIndex=i?-1:0;r.addEventListener('focus',leave);"
        "r.addEventListener('keydown',function(e){var to=e.key==='ArrowDown'?i+1:e.key==='ArrowUp'?i-1:-1;"
        "if(e.key==='Escape')r.blur();if(rows[to]){e.preventDefault();r.tabIndex=-1;rows[to].tabIndex=0;rows[to].focus()}})});\n"
        "Array.from(d.querySelectorAll('.strip')).forEach(function(s){s.addEventListener('click',function(e){"
        "var b=s.getBoundingClientRect(),list=s.nextElementSibling.querySelectorAll('.op[id]'),"
        "r=list[Math.floor((e.clientX-b.left)/b.width*list.length)];if(r){r.focus();r.scrollIntoView({block:'center'})}})})\n"
        "})()",
    .script_hash = "sha256-7YpSb2eRUpG374EEAsRvSv1diglNmrbrNRIKAiBtbT8=",
};
