import type { Browser } from 'playwright-core'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patientAgent } from '../support/network/patient-agent.ts'
import { noBrowser, openBrowser, signIn, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

let platform: RunningConsole
const agent = patientAgent({ rejectUnauthorized: false })

beforeAll(async () => {
  platform = await startConsole({ withDemo: false })
})

afterAll(async () => {
  await agent.destroy()
  await platform?.stop()
})

function get(path: string, headers: Readonly<Record<string, string>> = { accept: 'text/html' }) {
  return request(`${platform.url}${path}`, { dispatcher: agent, headers })
}

describe('the files of the console', () => {
  it('have a policy that runs only built scripts, and loads nothing from elsewhere', async () => {
    const { headers, body } = await get('/')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src ${platform.url}/assets/;`)
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy.replaceAll(`${platform.url}/assets/`, '')).not.toMatch(/unsafe|\*|https?:/)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(await body.text()).not.toMatch(/<script(?![^>]*\bsrc=)/)
  })

  it('have a new nonce each time', async () => {
    const nonces = await Promise.all(
      [1, 2, 3].map(async () => /nonce="([^"]+)"/.exec(await (await get('/')).body.text())?.[1]),
    )
    expect(new Set(nonces).size).toBe(3)
  })

  it('are cached forever if their name contains their hash, and compressed', async () => {
    const page = await (await get('/')).body.text()
    const [script = ''] = /\/assets\/index-[\w-]+\.js/.exec(page) ?? []
    const sizes = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) => {
        const { headers, body } = await get(script, { 'accept-encoding': encoding })
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
        expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
        return (await body.arrayBuffer()).byteLength
      }),
    )
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b))
  })

  it.each([
    '/assets/missing.js',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e%2findex.html',
    '/assets/index.html',
  ])('are only those that were built: %s', async (path) => {
    expect((await get(path)).statusCode).toBe(404)
  })

  it('do not change the API for programs', async () => {
    const { statusCode, headers } = await get('/', {
      accept: 'application/json',
      authorization: `Bearer ${platform.adminKey}`,
    })
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json'])
    expect((await get('/apis/nonsense/v1/things')).statusCode).toBe(403)
    expect((await get('/keys/anything')).statusCode).toBe(200)
  })

  it('are small before the editors are loaded', async () => {
    const page = await (await get('/')).body.text()
    const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    const sizes = await Promise.all(
      files.map(async (path) => (await (await get(path, { 'accept-encoding': 'gzip' })).body.arrayBuffer()).byteLength),
    )
    expect(sizes.reduce((sum, size) => sum + size, page.length)).toBeLessThan(350 * 1024)
  })
})

describe.skipIf(noBrowser !== undefined)('the console in a browser', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  })

  afterAll(() => browser?.close())

  it('stores the key in a cookie that no script can read, and nowhere else', async () => {
    const visitor = await visit(browser)
    const { page } = visitor
    await signIn(visitor, platform.url, platform.adminKey, '/keys')
    const [cookie, ...others] = await page.context().cookies()
    expect(others).toEqual([])
    expect(cookie).toMatchObject({
      name: '__Host-tenant-session',
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/',
    })
    const readable = await page.evaluate<string>(
      'document.cookie + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + location.href',
    )
    expect(readable).not.toContain(platform.adminKey)
    expect(visitor.requested.filter((url) => url.includes(platform.adminKey))).toEqual([])

    await page.getByRole('button', { name: 'admin', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Access key').waitFor()
    expect(await page.context().cookies()).toEqual([])
    await page.reload()
    await page.getByLabel('Access key').waitFor()
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  })

  it('shows who is signed in, with which key and until when', async () => {
    const { must, management } = platform
    await must('POST', `${management}/users`, { metadata: { name: 'grace' } })
    const key = await must('POST', `${management}/ownedaccesskeys`, {
      metadata: { name: 'of-grace' },
      spec: { displayName: 'Key of Grace', user: 'grace', ttl: 3600 },
    })
    const visitor = await visit(browser)
    const { page } = visitor
    await signIn(visitor, platform.url, key.spec.key, '/keys')
    await page.getByRole('link', { name: 'Key of Grace' }).waitFor()
    await page.getByRole('button', { name: 'grace', exact: true }).click()
    await page.getByText(/by the key\s*Key of Grace/).waitFor()
    await page.getByText(/until \d+ \w+ \d{4}/).waitFor()
    await visitor.shot('who-am-i')
    await visitor.leave()
  })

  it('distinguishes an invalid key from an ended session, and returns to the same page', async () => {
    const { must, management } = platform
    const visitor = await visit(browser)
    const { page } = visitor
    await page.goto(`${platform.url}/users`)
    await page.getByLabel('Access key').fill('nonsense-nonsense-nonsense-nonsense')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('This access key is not valid').waitFor()
    expect(await page.getByText('Unauthorized').count()).toBe(0)
    const key = await must('POST', `${management}/ownedaccesskeys`, {
      metadata: { name: 'short' },
      spec: { user: 'admin' },
    })
    await page.getByLabel('Access key').fill(key.spec.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'grace' }).waitFor()
    await must('DELETE', `${management}/ownedaccesskeys/short`)
    await page.getByText('Your session has ended.').waitFor()
    await page.getByLabel('Access key').fill(platform.adminKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'grace' }).waitFor()
    expect(page.url()).toBe(`${platform.url}/users`)
    await visitor.leave()
  })

  it('shows hostile names as plain text', async () => {
    const { must, management } = platform
    const hostile = `<script>window.broken = 1</script><img src=x onerror="window.broken = 2">"'\`\${window.broken = 3}`
    await must('POST', `${management}/users`, {
      metadata: { name: 'hostile' },
      spec: { displayName: hostile, email: hostile, groups: [hostile] },
    })
    await must('POST', `${management}/teams`, {
      metadata: { name: 'hostile' },
      spec: { displayName: hostile, description: hostile },
    })
    await must('POST', `${management}/projects`, {
      metadata: { name: 'hostile' },
      spec: { displayName: hostile, description: hostile },
    })
    await must('POST', `${management}/ownedaccesskeys`, {
      metadata: { name: 'hostile', annotations: { hostile } },
      spec: {
        displayName: hostile,
        description: hostile,
        user: 'hostile',
      },
    })
    const visitor = await visit(browser)
    const { page } = visitor
    await signIn(visitor, platform.url, platform.adminKey, '/keys')
    for (const path of [
      '/keys',
      '/keys/hostile',
      '/users',
      '/users/hostile',
      '/teams/hostile',
      '/projects',
      '/projects/hostile',
    ]) {
      await page.goto(`${platform.url}${path}`)
      await page.getByText('<script>window.broken').first().waitFor()
    }
    await page.goto(`${platform.url}/keys/hostile`)
    await page.getByRole('tab', { name: 'YAML' }).click()
    await page.getByRole('textbox').getByText('<script>').first().waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByText('<script>window.broken').waitFor()
    await visitor.shot('hostile')
    expect(await page.evaluate('window.broken')).toBeUndefined()
    expect(visitor.complaints).toEqual([])
    expect(visitor.requested.filter((url) => !url.startsWith(platform.url) && !url.startsWith('data:'))).toEqual([])
    await visitor.leave()
  })

  it('cannot be forced by another site to change anything', async () => {
    const visitor = await visit(browser)
    const { page } = visitor
    await signIn(visitor, platform.url, platform.adminKey, '/keys')
    await page.route('https://other.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>other</title>' }),
    )
    await page.goto('https://other.example/')
    const attempt = `fetch(${JSON.stringify(`${platform.url}${platform.management}/users`)}, { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ apiVersion: ${JSON.stringify(platform.management.slice(6))}, kind: 'User', metadata: { name: 'forged' } }) }).then(() => 'sent', () => 'blocked')`
    await page.evaluate(attempt)
    expect((await platform.ask('GET', `${platform.management}/users/forged`)).status).toBe(404)
    await visitor.leave()
  })
})
