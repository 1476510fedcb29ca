import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, changeAnswers, holdAnswers, notReady, pathEnds } from './support/answers.ts'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

type Body = Readonly<Record<string, unknown>>

/** A place of the console that shows a requested value. */
interface Place {
  readonly name: string
  readonly path: string
  readonly tab?: string
  readonly asked: Asked
  /** Where it is shown. Absent: in the page. */
  readonly within?: (page: Page) => Locator
  readonly loading: RegExp
  readonly empty: RegExp
  /** The answer without content. */
  readonly emptied: (body: Body) => unknown
  /** The text that is shown when the value is known. */
  readonly known: RegExp
}

const noItems = (body: Body) => ({ ...body, items: [] })
const inStatus =
  (empty: object) =>
  ({ status, ...body }: Body) => ({ ...body, status: { ...(status as object), ...empty } })
const panel = (name: string) => (page: Page) => page.getByRole('region', { name, exact: true }).first()
const demo = '/virtual-clusters/default/demo'
const demoSync = pathEnds('/virtualcluster/demo/debug/sync')
const list = { loading: /^Loading…$/, emptied: noItems }

const places: readonly Place[] = [
  {
    ...list,
    name: 'the list of virtual clusters',
    path: '/virtual-clusters',
    asked: pathEnds('/virtualclusterinstances'),
    empty: /No virtual clusters yet/,
    known: /^Demo$/,
  },
  {
    ...list,
    name: 'the list of access keys',
    path: '/keys',
    asked: pathEnds('/ownedaccesskeys'),
    empty: /No access keys yet/,
    known: /^Key of Ann$/,
  },
  {
    ...list,
    name: 'the list of sessions',
    path: '/keys',
    tab: 'Sessions',
    asked: pathEnds('/ownedaccesskeys'),
    empty: /No sessions/,
    known: /Sign out$/,
  },
  {
    ...list,
    name: 'the list of clusters',
    path: '/clusters',
    asked: pathEnds('/clusters'),
    empty: /No clusters yet/,
    known: /^Embedded host$/,
  },
  {
    ...list,
    name: 'the list of users',
    path: '/users',
    asked: pathEnds('/users'),
    empty: /No users yet/,
    known: /^ann$/,
  },
  {
    ...list,
    name: 'the list of teams',
    path: '/teams',
    asked: pathEnds('/teams'),
    empty: /No teams yet/,
    known: /^crew$/,
  },
  {
    ...list,
    name: 'the list of projects',
    path: '/projects',
    asked: pathEnds('/projects'),
    empty: /No projects yet/,
    known: /^default/,
  },
  {
    ...list,
    name: 'a user',
    path: '/users/ann',
    asked: pathEnds('/users'),
    empty: /There is no user ann/,
    known: /Rights are given to/,
  },
  {
    ...list,
    name: 'the keys of a user',
    path: '/users/ann',
    tab: 'Access keys',
    asked: ({ search }) => search.includes('spec.user'),
    within: panel('Access keys'),
    empty: /^None\.$/,
    known: /Key of Ann/,
  },
  {
    ...list,
    name: 'the teams of a user',
    path: '/users/ann',
    asked: pathEnds('/teams'),
    within: panel('Facts'),
    loading: /loading…/,
    empty: /none/,
    known: /crew/,
  },
  {
    ...list,
    name: 'the virtual clusters of a project',
    path: '/projects/default',
    tab: 'Virtual clusters',
    asked: pathEnds('/p-default/virtualclusterinstances'),
    within: panel('Virtual clusters'),
    empty: /None yet/,
    known: /Demo/,
  },
  {
    ...list,
    name: 'the spaces of a project',
    path: '/projects/default',
    tab: 'Spaces',
    asked: pathEnds('/spaceinstances'),
    within: panel('Spaces'),
    empty: /^None\. A space/,
    known: /^yard$/,
  },
  {
    ...list,
    name: 'the links of the overview',
    path: '/',
    asked: pathEnds('/virtualclusterinstances'),
    within: panel('Links'),
    empty: /No virtual cluster has registered yet/,
    known: /default\/demo/,
  },
  {
    ...list,
    name: 'the throughput of the overview',
    path: '/',
    asked: pathEnds('/virtualclusterinstances'),
    within: panel('Sync throughput'),
    empty: /No virtual cluster is linked/,
    known: /Measuring…|per second/,
  },
  {
    ...list,
    name: 'the keys about to expire of the overview',
    path: '/',
    asked: pathEnds('/ownedaccesskeys'),
    within: panel('Keys about to expire'),
    empty: /No active key ends within 7 days/,
    known: /Key of Ann/,
  },
  {
    name: 'what a key was used for',
    path: '/keys/anns',
    tab: 'Activity',
    asked: pathEnds('/usage'),
    within: panel('What it was used for'),
    loading: /^Loading…$/,
    emptied: inStatus({ uses: [] }),
    empty: /Nothing yet/,
    known: /list users/,
  },
  {
    name: 'where a key was used from',
    path: '/keys/anns',
    tab: 'Activity',
    asked: pathEnds('/usage'),
    within: panel('Where it was used from'),
    loading: /^Loading…$/,
    emptied: inStatus({ sources: [] }),
    empty: /Not used in the last 30 days/,
    known: /127\.0\.0\.1/,
  },
  {
    name: 'the audit trail of a key',
    path: '/keys/anns',
    tab: 'Activity',
    asked: pathEnds('/audit'),
    within: panel('Audit trail'),
    loading: /^Loading…$/,
    emptied: inStatus({ entries: [], continue: undefined }),
    empty: /No requests that fit/,
    known: /\/users/,
  },
  {
    name: 'what fails in a virtual cluster',
    path: demo,
    asked: demoSync,
    within: panel('What fails'),
    loading: /^Loading…$/,
    emptied: (body) => body,
    empty: /No object fails to sync/,
    known: /No object fails to sync/,
  },
  {
    name: 'the objects of a virtual cluster',
    path: demo,
    tab: 'Objects',
    asked: demoSync,
    loading: /^Loading…$/,
    emptied: () => ({ kinds: [] }),
    empty: /No kind is synced/,
    known: /default\/hello/,
  },
  {
    ...list,
    name: 'the events of a virtual cluster',
    path: demo,
    tab: 'Events',
    asked: pathEnds('/virtualcluster/demo/api/v1/events'),
    within: panel('Events'),
    empty: /No events in the last hour/,
    known: /noticed/,
  },
  {
    name: 'the patches of a virtual cluster',
    path: demo,
    tab: 'Patches',
    asked: pathEnds('/tenantconfigreviews'),
    within: panel('Patches'),
    loading: /^Loading…$/,
    emptied: inStatus({ config: { sync: { toHost: {}, fromHost: {} } } }),
    empty: /The configuration has none/,
    known: /example\.com\/region/,
  },
]

describe.skipIf(noBrowser !== undefined)('the console distinguishes loading, failed, empty and known', () => {
  let platform: RunningConsole
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: true }), openBrowser()])
    const { must, management } = platform
    await must('POST', `${management}/users`, { metadata: { name: 'ann' }, spec: { groups: ['system:masters'] } })
    await must('POST', `${management}/teams`, { metadata: { name: 'crew' }, spec: { users: ['ann'] } })
    await must('POST', `${management}/namespaces/p-default/spaceinstances`, {
      apiVersion: management.slice('/apis/'.length),
      kind: 'SpaceInstance',
      metadata: { name: 'yard' },
      spec: { clusterRef: { cluster: 'host', namespace: 'yard' } },
    })
    const key = await must('POST', `${management}/ownedaccesskeys`, {
      metadata: { name: 'anns' },
      spec: { displayName: 'Key of Ann', user: 'ann', ttl: 3600 },
    })
    await platform.ask('GET', `${management}/users`, { token: key.spec.key })
    await must('POST', '/kubernetes/project/default/virtualcluster/demo/api/v1/namespaces/default/events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'noticed' },
      involvedObject: { kind: 'Service', namespace: 'default', name: 'hello' },
      reason: 'Noticed',
      message: 'it was noticed',
      type: 'Normal',
      lastTimestamp: new Date().toISOString(),
    })
    visitor = await visit(browser)
    await signIn(visitor, platform.url, platform.adminKey, '/playground')
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  const open = async ({ path, tab }: Place) => {
    await visitor.page.goto(`${platform.url}${path}`)
    if (tab !== undefined) await visitor.page.getByRole('tab', { name: tab, exact: true }).click()
  }
  const placeOf = ({ within }: Place) => (within === undefined ? visitor.page.locator('main') : within(visitor.page))
  const shown = (place: Place, text: RegExp) => placeOf(place).getByText(text).first()
  const countOf = (place: Place, text: RegExp) => placeOf(place).getByText(text).count()

  it.each(places)('$name: while it loads, when it cannot be read, and after a retry', async (place) => {
    const answers = await holdAnswers(visitor.page, place.asked)
    await open(place)
    await shown(place, place.loading).waitFor()
    expect(await countOf(place, place.empty)).toBe(0)
    expect(await placeOf(place).getByRole('alert').count()).toBe(0)

    answers.fail()
    await placeOf(place).getByText(notReady).first().waitFor({ state: 'attached' })
    expect(await countOf(place, place.empty)).toBe(0)
    expect(await countOf(place, place.loading)).toBe(0)

    answers.hold()
    await placeOf(place).getByRole('button', { name: 'Try again' }).first().click()
    await answers.pass()
    await shown(place, place.known).waitFor()
    expect(await placeOf(place).getByText(notReady).count()).toBe(0)
  })

  it.each(places)('$name: when it is empty', async (place) => {
    const restore = await changeAnswers(visitor.page, place.asked, place.emptied)
    await open(place)
    await shown(place, place.empty).waitFor()
    expect(await countOf(place, place.loading)).toBe(0)
    expect(await placeOf(place).getByText(notReady).count()).toBe(0)
    await restore()
  })

  it('figures: no zero for an unreadable value', async () => {
    const { page } = visitor
    const answers = await holdAnswers(page, pathEnds('/virtualclusterinstances'))
    await page.goto(platform.url)
    const figure = page.getByText('Virtual clusters online').locator('..')
    await figure.getByText('loading').waitFor()
    answers.fail()
    await figure.getByText('not known').waitFor()
    expect(await page.getByText('0 of 0').count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
    answers.hold()
    await figure.getByRole('button', { name: 'Try again' }).click()
    await answers.pass()
    await figure.getByText('1 of 1').waitFor()
  })

  it('the health of a sync in its cell', async () => {
    const { page } = visitor
    const answers = await holdAnswers(page, demoSync)
    await page.goto(`${platform.url}/virtual-clusters`)
    const row = page.getByRole('row').filter({ hasText: 'demo' })
    await row.getByText('loading…').first().waitFor()
    answers.fail()
    await row.getByText('not known').waitFor()
    await answers.pass()
    await row.getByText(/\d in step/).waitFor()
  })

  it('who needs a key, before it is deleted', async () => {
    const { page } = visitor
    const answers = await holdAnswers(page, pathEnds('/holders'))
    await page.goto(`${platform.url}/keys/anns`)
    await page.getByRole('button', { name: 'Delete…' }).click()
    const holders = page.getByRole('region', { name: 'Who still needs this key' })
    await holders.getByText('Loading…').waitFor()
    expect(await holders.getByText(/^No /).count()).toBe(0)
    answers.fail()
    await holders.getByText(notReady).waitFor()
    expect(await holders.getByText(/^No /).count()).toBe(0)
    answers.hold()
    await holders.getByRole('button', { name: 'Try again' }).click()
    await answers.pass()
    await holders.getByText('No virtual cluster has used it lately.').waitFor()
  })

  it('a reachable cluster, and an unreachable one', async () => {
    const { page } = visitor
    const { must, management } = platform
    await must('POST', `${management}/clusters`, {
      apiVersion: management.slice('/apis/'.length),
      kind: 'Cluster',
      metadata: { name: 'gone' },
      spec: { config: { secretName: 'missing', secretNamespace: 'kube-system' } },
    })
    await page.goto(`${platform.url}/clusters`)
    const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
    await rowOf('Embedded host').getByText('Reachable', { exact: true }).waitFor()
    await rowOf('Embedded host').getByText(/^v1\./).waitFor()
    await rowOf('gone').getByText('Not reachable').waitFor()
    await page.goto(`${platform.url}/clusters/gone`)
    await page.getByText('there is no Secret kube-system/missing').first().waitFor()
    await must('DELETE', `${management}/clusters/gone`)
  })
})
