// Builds the report of so many exchanges and draws its page up, and tells the parent what that took.
// node size.mjs <folder of the compiled program> <exchanges>
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reportOf } from './report.mjs'

const [, , dist, exchanges] = process.argv
const load = (path) => import(pathToFileURL(join(dist, path)).href)
const { renderHtml, pageTemplate } = await load('reports/formats/html.js')
renderHtml(await reportOf(load, { requirements: 300, exchanges: Number(exchanges) }), pageTemplate())
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
process.send({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS * 1024 }, () => process.exit())
