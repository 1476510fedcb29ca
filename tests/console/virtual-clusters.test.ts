import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdAnswers, pathEnds } from './support/answers.ts'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'
import { replaceText, typeText } from './support/editing.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

const inside = '/kubernetes/project/default/virtualcluster/demo'
const host = '/kubernetes/cluster/host'

/** The embedded clusters have no custom resources, so the test provides their answers. */
const syncedKind = (kind: string, names: readonly string[]) => ({
  kind,
  group: 'example.com',
  version: 'v1',
  resource: 'widgets',
  state: 'running',
  queueLength: 0,
  counts: { 'in-step': names.length, waiting: 0, failing: 0 },
  objects: names.map((name) => ({ name, state: 'in-step' })),
})
const widget = (name: string, annotations: Readonly<Record<string, string>>) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default', annotations },
})

describe.skipIf(noBrowser !== undefined)('virtual clusters and patches in the console', () => {
  let platform: RunningConsole
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: true }), openBrowser()])
    visitor = await visit(browser)
    await signIn(visitor, platform.url, platform.adminKey, '/virtual-clusters')
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  const open = async (tab: string) => {
    await visitor.page.goto(`${platform.url}/virtual-clusters/default/demo`)
    await visitor.page.getByRole('tab', { name: tab, exact: true }).click()
  }

  it('are listed with their link, version, key and the health of their sync', async () => {
    const { page } = visitor
    const row = page.getByRole('row').filter({ hasText: 'default' })
    await row.getByText('Online').waitFor()
    await row.getByText(/\d in step/).waitFor()
    await row.getByText('dedicated').waitFor()
    await row.getByText(/^v1\./).waitFor()
  })

  it('are shown to a member of the project without a refused request', async () => {
    const { must, management, ask, url } = platform
    await must('POST', `${management}/users`, { metadata: { name: 'ann' } })
    const members = [{ kind: 'User', name: 'ann', role: 'user' }]
    const type = 'application/merge-patch+json'
    await ask('PATCH', `${management}/projects/default`, { body: { spec: { members } }, type })
    const key = { metadata: { name: 'of-ann' }, spec: { user: 'ann' } }
    const { spec } = await must('POST', `${management}/ownedaccesskeys`, key)
    const ann = await visit(browser)
    const refused: string[] = []
    ann.page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await signIn(ann, url, spec.key)
    await ann.page.getByText('Your key may not read metrics').nth(1).waitFor()
    await ann.page.goto(`${url}/virtual-clusters`)
    const row = ann.page.getByRole('row').filter({ hasText: 'default' })
    await row.getByText('Online').waitFor()
    await row.getByText('not for your role').waitFor()
    for (const tab of ['Overview', 'Objects', 'Patches']) {
      await ann.page.goto(`${url}/virtual-clusters/default/demo`)
      await ann.page.getByRole('tab', { name: tab, exact: true }).click()
      await ann.page.getByText('such as admins of its project').first().waitFor()
    }
    expect(refused).toEqual([])
    await ann.leave()
    await ask('PATCH', `${management}/projects/default`, { body: { spec: { members: null } }, type })
    await must('DELETE', `${management}/ownedaccesskeys/of-ann`)
    await must('DELETE', `${management}/users/ann`)
  })

  it('show an object on both sides, and how they differ', async () => {
    const { page } = visitor
    await open('Objects')
    await page.getByRole('button', { name: 'Compare default/hello' }).click()
    await page.getByRole('region', { name: 'Virtual object' }).getByText('name: hello').waitFor()
    const onHost = page.getByRole('region', { name: 'Host object' })
    await onHost.getByText('tenant.internal/object-name: hello').waitFor()
    await page.getByLabel('Differences').check()
    await page.getByText('-   name: hello').waitFor()
  })

  it('show a new object as soon as it is synced', async () => {
    const { page } = visitor
    await platform.must('POST', `${inside}/api/v1/namespaces/default/services`, {
      metadata: { name: 'fresh' },
      spec: { ports: [{ port: 80 }] },
    })
    await open('Objects')
    await page.getByLabel('Kind').selectOption({ label: 'services: 2 in step' })
    await page.getByRole('cell', { name: 'default/fresh', exact: true }).waitFor()
  })

  it('are listed before their key is deleted, with the Secret on their host', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/virtual-clusters`)
    await page.getByRole('row').filter({ hasText: 'default' }).getByRole('link').last().click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('tenant-demo/tenant-platform-api-key').waitFor()
    await dialog.getByText('of cluster host').waitFor()
    await visitor.shot('key-of-a-tenant')
  })

  it('list their patches with counters', async () => {
    const { page } = visitor
    await open('Patches')
    const row = page.getByRole('row').filter({ hasText: 'metadata.annotations' })
    await row
      .getByRole('cell', { name: /^[1-9]\d*$/ })
      .first()
      .waitFor()
  })

  it('have their configuration checked while the user types', async () => {
    const { page } = visitor
    await open('Configuration')
    await page.getByText('Valid', { exact: true }).waitFor()
    await replaceText(page, 'tenant.yaml', 'endpoints:', 'endpoint:')
    await page.getByText('Not valid').waitFor()
    await page.getByRole('list', { name: 'Problems' }).getByText('sync.toHost.endpoint').first().waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await visitor.shot('config-problems')
  })

  it('complete names and values of the configuration from its schema', async () => {
    const { page } = visitor
    await open('Configuration')
    await page.getByText('Valid', { exact: true }).waitFor()
    await typeText(page, 'tenant.yaml', 'sync:\n  toHost:\n    ')
    await page.keyboard.type('endp')
    const option = page.getByRole('option', { name: 'endpoints', exact: true })
    await option.waitFor()
    await visitor.shot('config-completion')
    // The editor ignores keys in the first moment after it has opened the list.
    await option.click()
    await page.getByRole('textbox', { name: 'tenant.yaml' }).getByText('endpoints:').waitFor()
  })

  it('save a configuration', async () => {
    const { page } = visitor
    await open('Configuration')
    await replaceText(page, 'tenant.yaml', '"host-"', '"there-"')
    await replaceText(page, 'tenant.yaml', '^host-', '^there-')
    await page.getByRole('button', { name: 'Save' }).click()
    const path = `${platform.management}/namespaces/p-default/virtualclusterinstances/demo`
    await expect
      .poll(async () => (await platform.must('GET', path)).spec.config, { timeout: 240_000 })
      .toContain('"there-"')
  })

  it('keep what the user types while a configuration is being saved', async () => {
    const { page } = visitor
    const path = `${platform.management}/namespaces/p-default/virtualclusterinstances/demo`
    const { spec } = await platform.must('GET', path)
    await open('Configuration')
    await replaceText(page, 'tenant.yaml', 'sync:', '# first\nsync:')
    const answers = await holdAnswers(page, pathEnds('/virtualclusterinstances/demo'))
    const asked = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    await asked
    await replaceText(page, 'tenant.yaml', '# first', '# second')
    await answers.pass()
    const stored = async () => (await platform.must('GET', path)).spec.config
    await expect.poll(stored).toContain('# first')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(stored).toContain('# second')
    await platform.ask('PATCH', path, { body: { spec }, type: 'application/merge-patch+json' })
  })

  it('save a configuration in spite of concurrent reports of the tenant, but never over changes of others', async () => {
    const { page } = visitor
    const path = `${platform.management}/namespaces/p-default/virtualclusterinstances/demo`
    const patch = (body: object) => platform.ask('PATCH', path, { body, type: 'application/merge-patch+json' })
    const { spec } = await platform.must('GET', path)
    await open('Configuration')
    await replaceText(page, 'tenant.yaml', 'sync:', '# mine\nsync:')
    await patch({ metadata: { annotations: { reported: 'again' } } })
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await platform.must('GET', path)).spec.config).toContain('# mine')

    await replaceText(page, 'tenant.yaml', '# mine', '# mine again')
    await patch({ spec: { config: `# theirs\n${spec.config}` } })
    await page.getByRole('alert').getByText('Another user has changed this object').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Keep my text, on top of theirs' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await platform.must('GET', path)).spec.config).toContain('# mine again')
  })

  it('show their events, the latest first', async () => {
    const { page } = visitor
    const event = (name: string, lastTimestamp: string, message: string) =>
      platform.must('POST', `${inside}/api/v1/namespaces/default/events`, {
        metadata: { name },
        involvedObject: { apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'hello' },
        type: 'Warning',
        reason: 'Tried',
        message,
        count: 3,
        lastTimestamp,
      })
    await open('Events')
    await event('older', '2026-01-01T00:00:00Z', 'it <b>failed</b>')
    await event('newer', '2026-01-02T00:00:00Z', 'it failed again')
    const table = page.getByRole('table', { name: 'Events' })
    await table.getByText('it failed again (3 times)').waitFor()
    await table.getByText('it <b>failed</b> (3 times)').waitFor()
    const tried = await table.getByRole('row').filter({ hasText: 'Tried' }).allTextContents()
    expect(tried.map((text) => text.includes('again'))).toEqual([true, false])
    expect(tried[0]).toContain('Service default/hello')
  })

  it('show custom resources and imports on both sides', async () => {
    const { page } = visitor
    const answers: Readonly<Record<string, object>> = {
      [`${inside}/debug/sync`]: {
        kinds: [
          syncedKind('widgets.example.com', ['default/cog']),
          syncedKind('fromHost.widgets.example.com', ['default/class']),
        ],
      },
      [`${inside}/apis/example.com/v1/namespaces/default/widgets/cog`]: widget('cog', {}),
      [`${host}/apis/example.com/v1/namespaces/tenant-demo/widgets`]: {
        items: [
          widget('cog-on-host', {
            'tenant.internal/object-name': 'cog',
            'tenant.internal/object-namespace': 'default',
          }),
        ],
      },
      [`${inside}/apis/example.com/v1/namespaces/default/widgets/class`]: widget('class', {
        'tenant.internal/imported-from': 'shared/source',
      }),
      [`${host}/apis/example.com/v1/namespaces/shared/widgets/source`]: widget('source', {}),
    }
    const isKnown = ({ pathname }: URL) => pathname in answers
    await page.route(isKnown, (route) => route.fulfill({ json: answers[new URL(route.request().url()).pathname] }))
    await open('Objects')
    for (const [kind, name, onHost] of [
      ['widgets.example.com', 'cog', 'cog-on-host'],
      ['fromHost.widgets.example.com', 'class', 'source'],
    ]) {
      await page.getByLabel('Kind').selectOption(kind ?? '')
      await page.getByRole('button', { name: `Compare default/${name}` }).click()
      await page.getByRole('region', { name: 'Virtual object' }).getByText(`name: ${name}`).waitFor()
      await page.getByRole('region', { name: 'Host object' }).getByText(`name: ${onHost}`).waitFor()
    }
    await page.unroute(isKnown)
  })

  it('show how to connect', async () => {
    await open('Connect')
    await visitor.page.getByText('tenant connect demo --project default').waitFor()
  })

  describe('the playground', () => {
    it('shows both directions, the matches and the round trip', async () => {
      const { page } = visitor
      await page.goto(`${platform.url}/playground`)
      await page.getByRole('region', { name: 'To the host', exact: true }).getByText('1 matched, 1 changed').waitFor()
      await page.getByText('+     example.com/region: host-eu-1').waitFor()
      await page.getByText('cancels out', { exact: true }).waitFor()
      await page.getByText('path: \'metadata.annotations["example.com/region"]\'').waitFor()
    })

    it('finds a pair that does not cancel out', async () => {
      const { page } = visitor
      await typeText(page, 'Reverse expression', 'value')
      await page.getByText('does not cancel out', { exact: true }).waitFor()
      await visitor.shot('playground-counter-example')
    })

    it.each([
      ['an invalid expression', 'value +', 'the expression ends too early (at character 8)'],
      ['a statement', 'let a = 1', 'let begins a statement where an expression is needed'],
      ['one that throws', 'value.nothing.more', "cannot read property 'more' of undefined"],
      ['one that never ends', '(() => { for (;;); })()', 'the expression did not finish within 50 ms'],
    ])('shows the error of %s', async (_, expression, message) => {
      await typeText(visitor.page, 'Expression', expression)
      await visitor.page.getByText(message).first().waitFor()
    })

    it('completes paths of the object by keyboard', async () => {
      const { page } = visitor
      await page.goto(`${platform.url}/playground`)
      await page.getByRole('region', { name: 'To the host', exact: true }).getByText('1 matched, 1 changed').waitFor()
      const path = page.getByRole('combobox', { name: 'Path' })
      await path.fill('sub')
      await page.getByRole('option', { name: /^subsets/ }).waitFor()
      const take = async () => {
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
      }
      await take()
      await take()
      expect(await path.inputValue()).toBe('subsets[*]')
      await page.keyboard.type('.addr')
      await take()
      await visitor.shot('playground-path')
      await take()
      await page.keyboard.type('.ho')
      await take()
      expect(await path.inputValue()).toBe('subsets[*].addresses[*].hostname')
      await page.keyboard.press('Escape')
      expect(await page.getByRole('listbox', { name: 'Suggestions' }).count()).toBe(0)
    })

    it('accepts an object of a linked virtual cluster', async () => {
      const { page } = visitor
      await page.goto(`${platform.url}/playground`)
      await page.getByLabel('Pick from a virtual cluster').selectOption('default/demo')
      await page.getByRole('combobox', { name: 'Object', exact: true }).selectOption('endpoints default/hello')
      await page.getByRole('button', { name: 'Take it' }).click()
      await page.getByRole('textbox', { name: 'Object', exact: true }).getByText('name: hello').waitFor()
    })
  })

  it('are counted on the overview, with live charts', async () => {
    const { page } = visitor
    await page.goto(platform.url)
    await page.getByText('1 of 1').waitFor()
    await page.getByRole('img', { name: /Requests to the platform/ }).waitFor()
    await page.getByRole('img', { name: /Sync throughput/ }).waitFor()
  })

  it('cause no browser errors', () => {
    expect(visitor.complaints).toEqual([])
  })
})
