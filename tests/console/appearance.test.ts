import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccessibilityOptions, seriousViolations, sidewaysScroll } from './support/accessibility.ts'
import { noBrowser, openBrowser, signIn, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

/** Errors in the colors of a theme are the same at every width. */
const views = [
  { width: 1280, themes: ['light', 'dark'] },
  // The width that WCAG 2.1 asks for, which is also 1280 pixels at a zoom of 400 %.
  { width: 320, themes: ['light'] },
] as const

interface Sight {
  readonly name: string
  readonly path: string
  /** A text that appears once the page is loaded. */
  readonly text: string | RegExp
  readonly tab?: string
}

const sights: readonly Sight[] = [
  { name: 'overview', path: '/', text: 'Keys about to expire' },
  { name: 'keys', path: '/keys', text: 'ci of the shop' },
  { name: 'key', path: '/keys/ci', text: 'Allowed requests: ' },
  { name: 'key-explain', path: '/keys/ci', text: 'The request', tab: 'Why was it refused?' },
  { name: 'key-yaml', path: '/keys/ci', text: 'resourceVersion', tab: 'YAML' },
  { name: 'users', path: '/users', text: 'Ada' },
  { name: 'user', path: '/users/ada', text: 'Rights are given to' },
  { name: 'teams', path: '/teams', text: 'Builders' },
  { name: 'team', path: '/teams/builders', text: 'Members' },
  { name: 'projects', path: '/projects', text: 'Shop' },
  { name: 'project', path: '/projects/shop', text: 'p-shop' },
  { name: 'clusters', path: '/clusters', text: 'host' },
  { name: 'cluster', path: '/clusters/host', text: 'Reachable now' },
  { name: 'virtual-clusters', path: '/virtual-clusters', text: /\d in step/ },
  { name: 'virtual-cluster', path: '/virtual-clusters/default/demo', text: /\d in step/ },
  { name: 'virtual-cluster-objects', path: '/virtual-clusters/default/demo', text: 'default/hello', tab: 'Objects' },
  { name: 'virtual-cluster-config', path: '/virtual-clusters/default/demo', text: 'Valid', tab: 'Configuration' },
  {
    name: 'virtual-cluster-patches',
    path: '/virtual-clusters/default/demo',
    text: 'metadata.annotations',
    tab: 'Patches',
  },
  {
    name: 'virtual-cluster-events',
    path: '/virtual-clusters/default/demo',
    text: /No events in the last hour|Normal|Warning/,
    tab: 'Events',
  },
  {
    name: 'virtual-cluster-connect',
    path: '/virtual-clusters/default/demo',
    text: 'With plain kubectl',
    tab: 'Connect',
  },
  { name: 'playground', path: '/playground', text: /cancels out/ },
  { name: 'nowhere', path: '/no/such/page', text: 'There is no such page' },
]

describe.skipIf(noBrowser !== undefined)('how the console looks', () => {
  let platform: RunningConsole
  let browser: Browser

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: true }), openBrowser()])
    const { must, management } = platform
    await must('POST', `${management}/users`, {
      metadata: { name: 'ada' },
      spec: { displayName: 'Ada', email: 'ada@example.com', groups: ['builders'] },
    })
    await must('POST', `${management}/teams`, {
      metadata: { name: 'builders' },
      spec: { displayName: 'Builders', users: ['ada'] },
    })
    await must('POST', `${management}/projects`, {
      metadata: { name: 'shop' },
      spec: { displayName: 'Shop', members: [{ kind: 'User', name: 'ada', role: 'admin' }] },
    })
    await must('POST', `${management}/ownedaccesskeys`, {
      metadata: { name: 'ci' },
      spec: { displayName: 'ci of the shop', user: 'ada', ttl: 86_400, scope: { projects: [{ project: 'shop' }] } },
    })
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  it.each(views)(
    'fits, has no errors and is accessible at $width pixels, $themes',
    async ({ width, themes }) => {
      const visitor = await visit(browser, { width })
      const { page } = visitor
      const found: string[] = []
      const lookAt = async (name: string) => {
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
          await visitor.shot(`${name}-${theme}`)
          found.push(...(await look(page, `${name}, ${theme}`, { areOnlyColors: theme !== themes[0] })))
        }
      }
      await page.goto(platform.url)
      await page.getByLabel('Access key').waitFor()
      await lookAt('sign-in')
      await signIn(visitor, platform.url, platform.adminKey)
      for (const [index, { name, path, text, tab }] of sights.entries()) {
        // Each address is loaded once; at other widths the open page navigates to it, as by a link.
        if (width !== 1280) await goWithin(page, path)
        else if (path !== sights[index - 1]?.path) await page.goto(`${platform.url}${path}`)
        if (tab !== undefined) await page.getByRole('tab', { name: tab }).click()
        await page.getByText(text).first().waitFor()
        await lookAt(name)
      }
      await page.goto(`${platform.url}/keys`)
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('dialog').getByLabel('Display name').fill('looked at')
      for (let step = 0; step < 3; step++) await page.getByRole('button', { name: 'Continue' }).click()
      await lookAt('create-key')
      expect(found).toEqual([])
      expect(visitor.complaints).toEqual([])
      await visitor.leave()
    },
    300_000,
  )

  it('opens the navigation at 320 pixels, and follows its links', async () => {
    const visitor = await visit(browser, { width: 320 })
    const { page } = visitor
    await signIn(visitor, platform.url, platform.adminKey)
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await visitor.shot('navigation')
    await page.getByRole('link', { name: 'Access keys' }).click()
    await page.getByRole('heading', { name: 'Access keys' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await visitor.leave()
  })

  it('shows every detail of a key at 320 pixels', async () => {
    const visitor = await visit(browser, { width: 320 })
    const { page } = visitor
    await signIn(visitor, platform.url, platform.adminKey, '/keys')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'First administrator' }) })
    const cells = row.getByRole('cell').filter({ hasText: /^(admin|everything|ends|last used)/ })
    await expect.poll(() => cells.count()).toBe(4)
    const cut = await cells.evaluateAll((all) =>
      all
        .filter(
          (cell) =>
            cell.scrollWidth > cell.clientWidth ||
            cell.getBoundingClientRect().bottom > (cell.parentElement?.getBoundingClientRect().bottom ?? 0),
        )
        .map((cell) => cell.textContent),
    )
    expect(cut).toEqual([])
    await visitor.leave()
  })

  it('keeps the theme that the user chose', async () => {
    const visitor = await visit(browser, { theme: 'light' })
    const { page } = visitor
    await signIn(visitor, platform.url, platform.adminKey)
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const before = await background()
    await page.getByRole('button', { name: 'Use dark colors' }).click()
    await page.getByRole('button', { name: 'Use light colors' }).waitFor()
    const chosen = await background()
    expect(chosen).not.toBe(before)
    await page.reload()
    await page.getByRole('button', { name: 'Use light colors' }).waitFor()
    expect(await background()).toBe(chosen)
    await visitor.leave()
  })
})

/** Navigates without loading the console again. */
async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((target) => {
    history.pushState({}, '', target)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** The problems of the visible page, one line each. */
async function look(page: Page, name: string, options: AccessibilityOptions): Promise<string[]> {
  const overflow = await sidewaysScroll(page)
  return [
    ...(overflow > 0 ? [`${name}: sticks out by ${overflow} pixels`] : []),
    ...(await seriousViolations(page, options)).map((violation) => `${name}: ${violation}`),
  ]
}
