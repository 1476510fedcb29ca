import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrowser, openBrowser, signIn, visit } from '../../console/support/browser.ts'
import { startLinkPlatform } from '../../link/support.ts'
import { overHttp2, signIn as signInPast } from '../../platform/browser-client.ts'
import { group, keysPath, management, userNamed } from '../../platform/platform.ts'
import { type OtherPort, startOtherPort } from './other-port.ts'

type Platform = Awaited<ReturnType<typeof startLinkPlatform>>

const sessionName = '__Host-tenant-session'

describe.skipIf(noBrowser !== undefined).each(['http', 'https'] as const)(
  'a page on another port of the same host, over %s',
  (scheme) => {
    let platform: Platform
    let other: OtherPort
    let browser: Browser
    let visitor: Awaited<ReturnType<typeof visit>>

    beforeAll(async () => {
      ;[platform, other, browser] = await Promise.all([startLinkPlatform(), startOtherPort(scheme), openBrowser()])
      for (const name of ['ann', 'eve']) await platform.must('POST', `${management}/users`, userNamed(name))
      const ann = await platform.keyOf('ann', { displayName: 'Key of Ann' })
      await platform.keyOf('eve', { displayName: 'Key of Eve' })
      visitor = await visit(browser)
      await signIn(visitor, platform.server.url, ann, '/keys')
      await visitor.page.getByRole('link', { name: 'Key of Ann' }).waitFor()
    })

    afterAll(async () => {
      await browser?.close()
      await other?.stop()
      await platform?.stop()
    })

    /** Ann stays signed in, in one tab; in another she opens an attacker's page. */
    async function lured(): Promise<{ readonly console: Page; readonly page: Page; leave(): Promise<void> }> {
      const page = await visitor.page.context().newPage()
      page.setDefaultTimeout(180_000)
      await page.goto(other.url)
      return { console: visitor.page, page, leave: () => page.close() }
    }

    const to = (path: string) => JSON.stringify(`${platform.server.url}${path}`)
    const forged = JSON.stringify(
      JSON.stringify({ apiVersion: `${group}/v1`, kind: 'OwnedAccessKey', metadata: { name: 'forged' }, spec: {} }),
    )

    async function expectNothingForged(console: Page): Promise<void> {
      expect((await platform.ask('GET', `${keysPath}/forged`)).status).toBe(404)
      await console.reload()
      await console.getByRole('link', { name: 'Key of Ann' }).waitFor()
    }

    test.each([
      ['with her cookie', `{ credentials: 'include' }`],
      ['with her cookie and its own half', `{ credentials: 'include', headers: { 'tenant-session': 'x'.repeat(43) } }`],
      ['as a stranger', `{ credentials: 'omit' }`],
    ])('reads nothing %s', async (_, init) => {
      const { console, page, leave } = await lured()
      for (const path of [keysPath, '/auth/session', '/apis', '/metrics', '/']) {
        const read = await page.evaluate(`fetch(${to(path)}, ${init}).then((answer) => answer.text(), () => 'nothing')`)
        expect(read).toBe('nothing')
      }
      await expectNothingForged(console)
      await leave()
    })

    test('does not see into the console, neither in a frame nor in a window', async () => {
      const { page, leave } = await lured()
      const framed = await page.evaluate<string>(`new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.onload = () => { try { resolve(frame.contentWindow.localStorage.getItem('tenant-session') ?? 'none') } catch { resolve('refused') } }
        frame.src = ${to('/keys')}
        document.body.append(frame)
      })`)
      expect(framed).toBe('refused')
      const frames = page.frames().filter((frame) => frame !== page.mainFrame())
      for (const frame of frames) expect(await frame.getByRole('link', { name: 'Key of Ann' }).count()).toBe(0)
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate(`void (window.opened = window.open(${to('/keys')}))`),
      ])
      await popup.getByRole('link', { name: 'Key of Ann' }).waitFor()
      const seen = await page.evaluate(`(() => {
        try { return window.opened.localStorage.getItem('tenant-session') } catch (error) { return error.name }
      })()`)
      expect(seen).not.toMatch(/^[\w-]{43}$/)
      expect(await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie')).toBe('{}')
      await leave()
    })

    test.each([
      [
        'fetch, as text',
        `fetch(URL, { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: BODY })`,
      ],
      [
        'fetch, as JSON',
        `fetch(URL, { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: BODY })`,
      ],
      [
        'fetch, with keepalive',
        `fetch(URL, { method: 'POST', mode: 'no-cors', keepalive: true, credentials: 'include', body: BODY })`,
      ],
      ['a beacon', `Promise.resolve(navigator.sendBeacon(URL, new Blob([BODY], { type: 'text/plain' })))`],
      [
        'an XMLHttpRequest',
        `new Promise((resolve) => { const request = new XMLHttpRequest(); request.withCredentials = true; request.onloadend = resolve; request.open('POST', URL); request.send(BODY) })`,
      ],
    ])('cannot create a key with %s', async (_, script) => {
      const { console, page, leave } = await lured()
      const attempt = script.replace('URL', to(keysPath)).replace('BODY', forged)
      await page.evaluate(`${attempt}.then(() => {}, () => {})`)
      await expectNothingForged(console)
      await leave()
    })

    test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
      'cannot create a key with a form of the type %s',
      async (type) => {
        const { console, page, leave } = await lured()
        const sent = page.waitForResponse((response) => response.url().startsWith(platform.server.url))
        await page.evaluate(`(() => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'POST', action: ${to(keysPath)}, enctype: ${JSON.stringify(type)} })
          const input = document.createElement('input')
          Object.assign(input, { name: ${forged}.slice(0, -1) + ',"x":"', value: '"}' })
          form.append(input)
          document.body.append(form)
          form.submit()
        })()`)
        expect((await sent).status()).toBeGreaterThanOrEqual(400)
        await expectNothingForged(console)
        await leave()
      },
    )

    test('signs her neither out nor in as another user', async () => {
      const { console, page, leave } = await lured()
      const eve = JSON.stringify(JSON.stringify({ accessKey: await platform.keyOf('eve') }))
      for (const init of [
        `{ method: 'DELETE', credentials: 'include' }`,
        `{ method: 'POST', mode: 'no-cors', credentials: 'include', body: ${eve} }`,
      ])
        await page.evaluate(`fetch(${to('/auth/session')}, ${init}).then(() => {}, () => {})`)
      await expectNothingForged(console)
      expect(await console.getByRole('button', { name: 'ann', exact: true }).count()).toBe(1)
      await leave()
    })

    test('gets nothing by an image, a script or a style, and opens no stream', async () => {
      const { console, page, leave } = await lured()
      const loaded = await page.evaluate<
        readonly string[]
      >(`Promise.all([['img', 'src'], ['script', 'src'], ['link', 'href']].map(([tag, member]) => new Promise((resolve) => {
        const element = Object.assign(document.createElement(tag), { rel: 'stylesheet', onload: () => resolve('loaded'), onerror: () => resolve('refused') })
        element[member] = ${to(keysPath)}
        document.body.append(element)
      })))`)
      expect(loaded).toEqual(['refused', 'refused', 'refused'])
      const socket = to('/api/v1/namespaces/default/pods/any/exec?command=id').replace('https:', 'wss:')
      const opened = await page.evaluate(`new Promise((resolve) => {
        const socket = new WebSocket(${socket}, 'v4.channel.k8s.io')
        socket.onopen = () => resolve('open')
        socket.onerror = () => resolve('refused')
      })`)
      expect(opened).toBe('refused')
      await expectNothingForged(console)
      await leave()
    })

    test('is sent one half of the session at most, which is worth nothing', async () => {
      const { leave } = await lured()
      const half = other.cookies.join('; ').match(new RegExp(`${sessionName}=([^;]+)`))?.[1] ?? 'x'.repeat(43)
      const alone = { headers: { cookie: `${sessionName}=${half}` }, token: '' }
      expect((await platform.ask('GET', keysPath, alone)).status).toBeGreaterThanOrEqual(401)
      await leave()
    })

    test('plants no session: she is asked to sign in, and never is another user', async () => {
      const send = overHttp2(() => platform.server)
      const eve = await signInPast(send, await platform.keyOf('eve'))
      const { console, page, leave } = await lured()
      other.plant(`${sessionName}=${eve.cookie}; Path=/; Secure; HttpOnly; SameSite=Strict`)
      await page.reload()
      await page.evaluate(`document.cookie = ${JSON.stringify(`${sessionName}=${eve.cookie}; Path=/; Secure`)}`)
      await console.goto(`${platform.server.url}/keys`)
      await console.getByRole('link', { name: 'Key of Ann' }).or(console.getByLabel('Access key')).first().waitFor()
      expect(await console.getByText('Key of Eve').count()).toBe(0)
      expect(await console.getByRole('button', { name: 'eve', exact: true }).count()).toBe(0)
      await leave()
    })
  },
)
