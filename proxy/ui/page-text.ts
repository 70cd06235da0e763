/** The live page without its content, which only its script brings. */
export const PAGE_HTML: string = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>assay record</title>
<link rel="stylesheet" href="/page.css">
<link rel="icon" href="data:,">
</head>
<body>
<header>
<h1>assay record</h1>
<p id="target">TARGET</p>
<dl>
<div><dt>exchanges</dt><dd id="exchanges">0</dd></div>
<div><dt>per second</dt><dd id="perSecond">0</dd></div>
<div class="failure"><dt>failures</dt><dd id="failures">0</dd></div>
<div class="warning"><dt>warnings</dt><dd id="warnings">0</dd></div>
<div><dt>dropped</dt><dd id="dropped">0</dd></div>
<div><dt>cut short</dt><dd id="cut">0</dd></div>
</dl>
<p id="state" role="status">connecting</p>
</header>
<section aria-label="Findings">
<p id="nothing" class="quiet">Nothing that passed breaks the specification.</p>
<div id="found"></div>
</section>
<form role="search">
<label>Filter <input id="filter" type="search" placeholder="method, path, status, operation, requirement" autocomplete="off"></label>
<label><input id="only" type="checkbox"> only with findings</label>
<button id="pause" type="button" aria-pressed="false">Pause</button>
<span id="shown" class="quiet"></span>
</form>
<main>
<div class="scroll">
<table aria-label="Exchanges">
<thead><tr><th>time (UTC)</th><th>method</th><th>path</th><th>status</th><th class="number">ms</th><th>operation</th><th>findings</th></tr></thead>
<tbody id="rows"></tbody>
</table>
</div>
<aside id="detail" hidden aria-label="One exchange"></aside>
</main>
<script src="/page.js"></script>
</body>
</html>
`

export const PAGE_STYLE: string = `:root{color-scheme:light dark;--ground:#fff;--ink:#1c2024;--quiet:#60646c;--line:#d9d9e0;--panel:#f6f7f9;--failure:#b3261e;--failure-ground:#fdecea;--warning:#8a5a00;--warning-ground:#fff4d6;--chosen:#dbeafe}
@media (prefers-color-scheme:dark){:root{--ground:#15171a;--ink:#e6e8eb;--quiet:#a0a6ae;--line:#33373d;--panel:#1d2024;--failure:#ff9b92;--failure-ground:#3a1916;--warning:#f2c55c;--warning-ground:#33290f;--chosen:#1d3350}}
*{box-sizing:border-box}
body{margin:0;height:100vh;display:flex;flex-direction:column;background:var(--ground);color:var(--ink);font:14px/1.45 system-ui,sans-serif}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1.5rem;padding:.75rem 1rem;border-bottom:1px solid var(--line)}
h1{font-size:1.1rem;margin:0}h2{font-size:1.05rem;margin:.25rem 0;overflow-wrap:anywhere}h3{font-size:.95rem;margin:1rem 0 .25rem}
p{margin:.25rem 0;overflow-wrap:anywhere}
#target{color:var(--quiet);font-family:ui-monospace,monospace}
dl{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0}dl div{display:flex;gap:.4rem}dt{color:var(--quiet)}dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}
#state{margin-left:auto;color:var(--quiet)}
.bad{color:var(--failure)}.quiet{color:var(--quiet)}
body>section{padding:.5rem 1rem;border-bottom:1px solid var(--line);max-height:9rem;overflow:auto;flex:none}
#found{display:flex;flex-direction:column;gap:.25rem}
#found button{display:flex;gap:.75rem;text-align:left;border:0;border-left:4px solid;padding:.25rem .5rem;font:inherit;cursor:pointer}
#found b{min-width:3ch;text-align:right}
.requirement{font-family:ui-monospace,monospace}
button.failure,section.failure{color:var(--failure);background:var(--failure-ground);border-color:var(--failure)}
button.warning,section.warning{color:var(--warning);background:var(--warning-ground);border-color:var(--warning)}
form{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;padding:.5rem 1rem}
input[type=search]{font:inherit;width:min(28rem,70vw);padding:.25rem .5rem;color:inherit;background:var(--panel);border:1px solid var(--line);border-radius:4px}
form button,.close{font:inherit;padding:.2rem .75rem;color:inherit;background:var(--panel);border:1px solid var(--line);border-radius:4px;cursor:pointer}
main{display:flex;flex:1;min-height:0;border-top:1px solid var(--line)}
.scroll{flex:1;overflow:auto;min-width:0}
table{border-collapse:collapse;width:100%}
thead th{position:sticky;top:0;background:var(--panel);text-align:left;font-weight:600}
th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);white-space:nowrap;vertical-align:top}
.path{max-width:0;min-width:14rem;width:60%;overflow:hidden;text-overflow:ellipsis;font-family:ui-monospace,monospace}
.time,.number{font-variant-numeric:tabular-nums}.number{text-align:right}
.found{font-family:ui-monospace,monospace}
tbody tr{cursor:pointer}tbody tr:hover{background:var(--panel)}
tr.failure .found{color:var(--failure)}tr.warning .found{color:var(--warning)}
tr.failure td:first-child{box-shadow:inset 4px 0 var(--failure)}tr.warning td:first-child{box-shadow:inset 4px 0 var(--warning)}
tr.chosen,tr.chosen:hover{background:var(--chosen)}
aside{width:min(44rem,50vw);overflow:auto;padding:.75rem 1rem;border-left:1px solid var(--line);background:var(--panel)}
aside section{padding:.25rem .75rem;margin:.5rem 0;border-left:4px solid}aside section h3{margin:.25rem 0}
.close{float:right}
.headers{font-size:.85rem}.headers th{text-align:left;font-weight:600}.headers td{white-space:pre-wrap;overflow-wrap:anywhere;width:100%}
pre{background:var(--ground);border:1px solid var(--line);padding:.5rem;margin:.5rem 0;overflow:auto;max-height:28rem;white-space:pre-wrap;overflow-wrap:anywhere;font:12px/1.4 ui-monospace,monospace}
:focus-visible{outline:2px solid #3b82f6;outline-offset:-2px}
[hidden]{display:none!important}
@media (max-width:50rem){main{flex-direction:column}aside{width:auto;max-height:60vh;border-left:0;border-top:1px solid var(--line)}}
`
