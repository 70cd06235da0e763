// Builds the pages, that of reports and the live one. Each is a file with its script, its style and its policy, and
// room for data. Usage: node scripts/page.mjs [folder of the compiled program, default dist]
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** What a page may do beside showing itself. A report asks nobody; the live page asks the server that it comes from. */
const PAGES = {
  page: [],
  live: ["connect-src 'self'"],
}

/** Writes `<dist>/reports/page.html` and `live.html`. */
export async function buildPages(dist) {
  const paths = []
  for (const [name, allowed] of Object.entries(PAGES)) paths.push(await buildPage(dist, name, allowed))
  return paths
}

async function buildPage(dist, name, allowed) {
  const folder = join(root, 'reports', name)
  const { script, style } = await bundle(folder)
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    'img-src data:',
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const parts = { policy, style, script }
  const shell = readFileSync(join(folder, 'shell.html.in'), 'utf8')
  const page = shell.replaceAll(/%(policy|style|script)%/g, (_mark, name) => parts[name])
  const path = join(dist, 'reports', `${name}.html`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, page)
  return path
}

async function bundle(folder) {
  const built = await build({
    configFile: false,
    envDir: false,
    root: folder,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      rollupOptions: { input: join(folder, 'main.tsx'), output: { format: 'iife', codeSplitting: false } },
    },
  })
  const files = [built].flat().flatMap(({ output }) => output)
  // What only Node has would end the script where it begins.
  const nodes = files
    .flatMap(({ modules = {} }) => Object.keys(modules))
    .filter((id) => id.includes('browser-external'))
  if (nodes.length > 0) throw new Error(`the page imports modules of Node: ${nodes.join(', ')}`)
  const texts = (ending) =>
    files.filter(({ fileName }) => fileName.endsWith(ending)).map((file) => file.code ?? String(file.source))
  const [scripts, styles] = [texts('.js'), texts('.css')]
  if (files.length !== 2 || scripts.length !== 1 || styles.length !== 1) {
    throw new Error(
      `one script and one style were to be built, not ${files.map(({ fileName }) => fileName).join(', ')}`,
    )
  }
  const script = scripts[0].trim().replaceAll(/<(?=!--|\/?script)/gi, '\\x3c')
  if (/%(title|data)%/.test(script)) throw new Error('the script holds what stands for the title or the data')
  const style = styles[0].trim()
  if (/<\/?style|@import|url\((?!["']?data:)/i.test(style)) throw new Error('the style refers to something outside')
  return { script, style }
}

function digest(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const path of await buildPages(resolve(process.argv[2] ?? join(root, 'dist')))) console.log(`wrote ${path}`)
}
