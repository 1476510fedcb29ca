import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasUnseen } from '../../../src/base/unseen.ts'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from '../../console/support/browser.ts'
import { link, type TestLink, tenantKey } from '../../link/support.ts'
import { answering, endless, type HostileTenant, type Say, startHostileTenant } from '../proxy/hostile-tenant.ts'

const json = { 'content-type': 'application/json' }
const saying = (value: unknown): Say => answering(json, JSON.stringify(value))

/** The answer of a tenant whose objects have these names. */
const syncOf = (names: readonly string[], type: object = { group: '', version: 'v1', resource: 'services' }) => ({
  kinds: [
    {
      kind: 'services',
      state: 'running',
      queueLength: 0,
      ...type,
      counts: { 'in-step': names.length, waiting: 0, failing: 0 },
      objects: names.map((name) => ({ name, state: 'in-step' })),
    },
  ],
})

describe.skipIf(noBrowser !== undefined)('a virtual cluster with hostile answers, in a browser', () => {
  let tenant: HostileTenant
  let neighbor: TestLink
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    ;[tenant, browser] = await Promise.all([startHostileTenant(), openBrowser()])
    const { url, authority } = tenant.platform.server
    neighbor = link({
      name: 'calm',
      accessKey: await tenantKey(tenant.platform, 'calm'),
      url,
      authority,
      virtualApi: {
        serve: ({ stream }) => {
          stream.on('error', () => {})
          saying(syncOf(['default/fine']))(stream)
        },
        bindClusterRole: async () => {},
      },
    })
    await neighbor.linked()
    visitor = await visit(browser)
    await signIn(visitor, url, 'admin-token', '/playground')
  })

  afterAll(async () => {
    await browser?.close()
    await neighbor?.stop()
    await tenant?.stop()
  })

  /** Loads the console again: it then shows no earlier answers. */
  const openOverview = () => visitor.page.goto(`${tenant.platform.server.url}/`)

  /** On the overview. */
  const rowOf = (name: string) => {
    const links = visitor.page.getByRole('region', { name: 'Links', exact: true })
    return links.getByRole('row').filter({ hasText: `default/${name}` })
  }

  /** Within the console, like a user: what it has fetched for other pages stays. */
  async function turnTo(name: 'calm' | 'dev'): Promise<void> {
    const { page } = visitor
    await page.getByRole('navigation').getByRole('link', { name: 'Virtual clusters' }).click()
    await page.locator(`main a[href="/virtual-clusters/default/${name}"]`).click()
  }

  /** The other virtual cluster is shown as before, on every page that shows both and on its own. */
  async function expectNeighborUnharmed(): Promise<void> {
    const { page } = visitor
    await openOverview()
    await rowOf('calm').getByText('1 in step').waitFor()
    await page.getByText('2 of 2').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Virtual clusters' }).click()
    await page.getByRole('row').filter({ hasText: 'calm' }).getByText('1 in step').waitFor()
    await turnTo('calm')
    await page.getByText('No object fails to sync.').waitFor()
    await page.getByRole('tab', { name: 'Objects' }).click()
    await page.getByRole('cell', { name: 'default/fine', exact: true }).waitFor()
  }

  const unreadable: readonly (readonly [string, Say])[] = [
    ['a list', saying([])],
    ['kinds that are a number', saying({ kinds: 7 })],
    ['a kind that is null', saying({ kinds: [null] })],
    ['markup', answering({ 'content-type': 'text/html' }, '<script>window.broken = 1</script>')],
    ['a body that does not end', endless(json)],
    ['a body of eight million characters', answering(json, JSON.stringify({ waits: 'x'.repeat(8_000_000) }))],
  ]

  test.each(unreadable)('makes only its own cell unreadable when it answers %s', async (_, say) => {
    tenant.say(say)
    await expectNeighborUnharmed()
    const { page } = visitor
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click()
    await rowOf('dev').getByText('not readable').waitFor()
    await turnTo('dev')
    await page.getByRole('alert').getByText('cannot be shown').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('textbox', { name: 'tenant.yaml' }).waitFor()
    expect(await page.evaluate('window.broken')).toBeUndefined()
  })

  test('breaks nothing by refusing everything', async () => {
    tenant.say((stream) => {
      stream.respond({ ':status': 500, ...json })
      stream.end('{}')
    })
    await expectNeighborUnharmed()
    await turnTo('dev')
    await visitor.page.getByRole('alert').first().waitFor()
  })

  test.each([
    ['group', { group: '../../../../../cluster/host/apis/apps', version: 'v1', resource: 'secrets' }],
    ['version', { group: '', version: 'v1/../../../../../../apis', resource: 'secrets' }],
    ['resource', { group: '', version: 'v1', resource: '../../../../../../metrics' }],
  ])('cannot redirect a request with a %s that contains dots', async (_, type) => {
    tenant.say(saying(syncOf(['default/web'], type)))
    await expectNeighborUnharmed()
    const { page, requested } = visitor
    await turnTo('dev')
    await page.getByRole('tab', { name: 'Objects' }).click()
    const before = requested.length
    await page.getByRole('button', { name: 'Compare default/web' }).click()
    await page.getByRole('region', { name: 'services default/web' }).getByText('is not a valid name').waitFor()
    const paths = requested.map((url) => new URL(url).pathname)
    // The page may repeat requests that it has made before.
    const known = new Set(paths.slice(0, before))
    const asked = paths.slice(before).filter((path) => !known.has(path))
    expect(asked.filter((path) => !path.endsWith('/debug/sync') && !path.startsWith('/assets/'))).toEqual([])
  })

  test('shows no control characters, characters that reverse a line, or characters without width', async () => {
    const names = ['default/admin\u202egnp.exe', 'default/a\u200bb', 'default/c\u0007d', 'default/\u2067e\u2069']
    tenant.say(saying(syncOf(names)))
    const { page } = visitor
    await openOverview()
    await turnTo('dev')
    await page.getByRole('tab', { name: 'Objects' }).click()
    await page.getByRole('cell', { name: 'default/admin\ufffdgnp.exe', exact: true }).waitFor()
    const texts = await page.evaluate<
      readonly string[]
    >(`[...document.querySelectorAll('main *')].flatMap((element) => [
      ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
      ...[...element.attributes].filter(({ name }) => name === 'title' || name === 'aria-label').map(({ value }) => value),
    ])`)
    expect(texts.length).toBeGreaterThan(20)
    expect(texts.filter(hasUnseen)).toEqual([])
    expect(texts.filter((text) => text.includes('\ufffd')).length).toBeGreaterThanOrEqual(names.length)
  })
})
