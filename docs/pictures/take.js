// Takes the pictures of the README from the running product: `npm run build && node docs/pictures/take.js`.
// Needs Debian's chromium, and kubectl on the PATH or in KUBECTL.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const here = fileURLToPath(new URL('./', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'tenant-pictures-'))
const data = join(home, '.tenant', 'data')
const env = { ...process.env, HOME: home, KUBECONFIG: join(data, 'kubeconfig'), NO_COLOR: '1' }
const kubectl = process.env.KUBECTL ?? 'kubectl'
const shown = ['$ tenant up']

const up = spawn(process.execPath, [cli, 'up', '--port', '8443'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  shown.push((await output()).trimEnd(), '')
  const { platform } = JSON.parse(readFileSync(join(data, 'up.json'), 'utf8'))
  const key = readFileSync(platform.adminKeyFile, 'utf8').trim()
  run(
    'tenant platform login https://127.0.0.1:8443 --ca ~/.tenant/data/pki/ca.crt --access-key-stdin',
    [...['platform', 'login', platform.url, '--ca', platform.caFile, '--access-key-stdin']],
    key,
  )
  run('tenant create shop', ['create', 'shop'])
  run('tenant list', ['list'])
  shown.push(
    '$ kubectl --context host get endpoints -n tenant-demo',
    ask(kubectl, ['--context', 'host', 'get', 'endpoints', '-n', 'tenant-demo']),
  )
  await pictures(platform.url, key)
} finally {
  up.kill('SIGTERM')
  await new Promise((resolve) => up.once('exit', resolve))
  rmSync(home, { recursive: true, force: true })
}

/** What `tenant up` prints until it is ready, without the key of the machine it ran on. */
async function output() {
  let text = ''
  for await (const chunk of up.stdout) {
    text += chunk
    if (/^ready$/m.test(text)) break
  }
  return text.replace(/^(admin key\s+).*$/m, '$1…')
}

function run(line, args, input) {
  shown.push(`$ ${line}`, ask(process.execPath, [cli, ...args], input), '')
}

/** Messages and data, as a terminal shows them. */
function ask(program, args, input) {
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8', input })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  return `${stderr}${stdout}`.trimEnd().replaceAll(home, '~')
}

async function pictures(url, key) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ignoreHTTPSErrors: true })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('Access key').fill(key)
  await page.keyboard.press('Enter')
  await page.goto(`${url}/virtual-clusters/default/demo`)
  await page.getByText('Online').first().waitFor()
  await page.getByRole('tab', { name: 'Objects' }).click()
  await page
    .getByRole('button', { name: /Compare/ })
    .first()
    .click()
  await page.getByText('tenant.internal/managed-by').waitFor()
  await page.screenshot({ path: join(here, 'console.png') })
  const terminal = await context.newPage()
  await terminal.setContent(terminalPage(shown.join('\n')))
  await terminal.locator('pre').screenshot({ path: join(here, 'terminal.png') })
  await browser.close()
}

function terminalPage(text) {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const style =
    'display:inline-block;margin:0;padding:24px;background:#11161d;color:#dce3ea;font:14px/1.45 monospace;border-radius:8px'
  return `<body style="margin:0"><pre style="${style}">${safe}</pre></body>`
}
