import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { changeAnswers, pathEnds } from './support/answers.ts'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('the console for a member of one project', () => {
  let platform: RunningConsole
  let browser: Browser
  let visitor: Visitor
  const refused: string[] = []

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
    const { must, management } = platform
    await must('POST', `${management}/users`, { metadata: { name: 'ann' } })
    await must('POST', `${management}/projects`, {
      metadata: { name: 'shop' },
      spec: { displayName: 'The shop', members: [{ kind: 'User', name: 'ann', role: 'admin' }] },
    })
    await must('POST', `${management}/projects`, { metadata: { name: 'bank' }, spec: { displayName: 'The bank' } })
    for (const [project, name] of Object.entries({ shop: 'till', bank: 'vault' })) {
      const instances = `${management}/namespaces/p-${project}/virtualclusterinstances`
      await eventually(() => must('POST', instances, { metadata: { name }, spec: {} }))
    }
    const key = await must('POST', `${management}/ownedaccesskeys`, {
      metadata: { name: 'anns' },
      spec: { user: 'ann' },
    })
    visitor = await visit(browser)
    visitor.page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await signIn(visitor, platform.url, key.spec.key)
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  it('shows what she may read, without a refused request', async () => {
    const { page } = visitor
    const links = page.getByRole('region', { name: 'Links' })
    await links.getByRole('link', { name: 'shop/till' }).waitFor()
    expect(await links.getByText('vault').count()).toBe(0)
    expect(await page.getByText('your key may not list them').count()).toBe(0)
    await page.getByText('0 of 1').waitFor()
    await page.goto(`${platform.url}/projects`)
    await page.getByRole('link', { name: 'The shop' }).waitFor()
    expect(await page.getByText('bank').count()).toBe(0)
    await page.goto(`${platform.url}/virtual-clusters`)
    await page.getByRole('link', { name: 'till' }).waitFor()
    expect(refused).toEqual([])
    await visitor.shot('virtual-clusters-of-a-member')
  })

  it('tells a user without a project whom to ask, and proposes nothing that would be refused', async () => {
    const { page } = visitor
    const empty = (body: object) => ({ ...body, items: [] })
    const restore = [
      await changeAnswers(page, pathEnds('/projects'), empty),
      await changeAnswers(page, pathEnds('/virtualclusterinstances'), empty),
    ]
    for (const path of ['/', '/virtual-clusters', '/projects']) {
      await page.goto(`${platform.url}${path}`)
      await page.getByText('You are not a member of a project').waitFor()
      await page.getByText(/add you to its members as the user ann\b/).waitFor()
      expect(await page.getByText('tenant create').count()).toBe(0)
    }
    await visitor.shot('without-project')
    for (const each of restore) await each()
  })

  it('proposes to create a virtual cluster in her project, not in one that she does not see', async () => {
    const { page } = visitor
    const restore = await changeAnswers(page, pathEnds('/virtualclusterinstances'), (body) => ({ ...body, items: [] }))
    for (const path of ['/', '/virtual-clusters']) {
      await page.goto(`${platform.url}${path}`)
      await page.getByText(/tenant create my-cluster --project shop$/).waitFor()
    }
    await restore()
    await page.goto(`${platform.url}/virtual-clusters`)
  })

  it('shows at once what becomes visible, and hides what she has lost', async () => {
    const { page } = visitor
    const members = (members: readonly object[]) =>
      platform.ask('PATCH', `${platform.management}/projects/bank`, {
        body: { spec: { members } },
        type: 'application/merge-patch+json',
      })
    await members([{ kind: 'User', name: 'ann', role: 'viewer' }])
    await page.getByRole('link', { name: 'vault' }).waitFor()
    await members([])
    await page.getByRole('link', { name: 'vault' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'till' }).waitFor()
  })

  it('shows her own project', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/projects/shop`)
    await page.getByRole('heading', { name: 'The shop' }).waitFor()
    await page.getByText('p-shop').waitFor()
  })

  it('shows only herself among the users', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/users`)
    await page.getByRole('link', { name: 'ann' }).waitFor()
    expect(await page.getByRole('link', { name: 'admin' }).count()).toBe(0)
    expect(await page.getByText('Loading…').count()).toBe(0)
  })

  it('offers no action that she may not take, and says who could allow it', async () => {
    const { page } = visitor
    // What was asked for while she lost a role may have been refused.
    refused.length = 0
    for (const [path, noun] of Object.entries({
      users: 'user',
      teams: 'team',
      clusters: 'cluster',
      projects: 'project',
    })) {
      await page.goto(`${platform.url}/${path}`)
      const note = `You may not create ${noun}s: an administrator of the platform can allow it.`
      await page.getByRole('note').getByText(note).waitFor()
      expect(await page.getByRole('button', { name: `Create ${noun}` }).count(), path).toBe(0)
    }
    await page.goto(`${platform.url}/users/ann`)
    await page.getByText('You may not change this: an administrator of the platform can allow it.').waitFor()
    expect(await page.getByRole('button', { name: /^(Edit|Delete)/ }).count()).toBe(0)
    expect(refused).toEqual([])
  })

  it('offers the actions of her role in a project, and names what its admins could allow', async () => {
    const { page } = visitor
    const members = (role: string) =>
      platform.ask('PATCH', `${platform.management}/projects/shop`, {
        body: {
          spec: {
            members: [
              { kind: 'User', name: 'ann', role },
              { kind: 'User', name: 'bea', role: 'admin' },
            ],
          },
        },
        type: 'application/merge-patch+json',
      })
    await page.goto(`${platform.url}/virtual-clusters/shop/till`)
    await page.getByRole('button', { name: 'Delete…' }).waitFor()
    await page.goto('about:blank')
    await members('viewer')
    await page.goto(`${platform.url}/virtual-clusters/shop/till`)
    const note = 'project shop: the role viewer does not include this; its admins can allow it: bea.'
    await page.getByText(`You may not change this: ${note}`).waitFor()
    expect(await page.getByRole('button', { name: 'Delete…' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'YAML' }).click()
    await page.getByRole('textbox', { name: 'VirtualClusterInstance till' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByRole('textbox', { name: 'tenant.yaml' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    await visitor.shot('virtual-cluster-of-a-viewer')
    await members('admin')
    expect(refused).toEqual([])
  })

  it('reports what a key with a scope may not list, and nothing else', async () => {
    const made = await platform.must('POST', `${platform.management}/ownedaccesskeys`, {
      metadata: { name: 'limited-to-shop' },
      spec: { user: 'ann', scope: { projects: [{ project: 'shop' }] } },
    })
    const limited = await visit(browser)
    await signIn(limited, platform.url, made.spec.key)
    const { page } = limited
    await page.getByText('your key may not list them').first().waitFor()
    await page.getByRole('region', { name: 'Links' }).getByRole('alert').waitFor()
    expect(await page.getByText('0 of 0').count()).toBe(0)
    await page.goto(`${platform.url}/users`)
    await page.getByRole('alert').getByText('cannot list').waitFor()
    expect(await page.getByText('Loading…').count()).toBe(0)
    await limited.leave()
  })

  it('does not treat a refusal as the end of the session', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/keys`)
    await page.getByRole('link', { name: 'anns' }).waitFor()
  })
})
