import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('the console describes the effect of a deletion correctly', () => {
  let platform: RunningConsole
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: true }), openBrowser()])
    visitor = await visit(browser)
    await signIn(visitor, platform.url, platform.adminKey, '/playground')
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  const statusOf = async (path: string, token?: string) =>
    (await platform.ask('GET', path, token === undefined ? {} : { token })).status

  const openDialog = async (path: string) => {
    const { page } = visitor
    await page.goto(`${platform.url}${path}`)
    await page.getByRole('button', { name: 'Delete…' }).click()
    return page.getByRole('dialog')
  }

  const confirm = async (name: string) => {
    const dialog = visitor.page.getByRole('dialog')
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name)
    await dialog.getByRole('button', { name: /^Delete/ }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  it('a virtual cluster that registered itself continues to run', async () => {
    const { must, management } = platform
    await must('POST', `${management}/namespaces/p-default/virtualclusterinstances`, {
      apiVersion: management.slice('/apis/'.length),
      kind: 'VirtualClusterInstance',
      metadata: { name: 'guest' },
      spec: { external: true, clusterRef: { namespace: 'team-guest', virtualCluster: 'guest' } },
    })
    const dialog = await openDialog('/virtual-clusters/default/guest')
    await dialog.getByText('It keeps running on its host').waitFor()
    await dialog.getByText('tenant delete guest -n team-guest').waitFor()
    await confirm('guest')
    expect(await statusOf(`${management}/namespaces/p-default/virtualclusterinstances/guest`)).toBe(404)
  })

  it('a virtual cluster that the platform runs is deleted completely', async () => {
    const { must, management } = platform
    const demo = `${management}/namespaces/p-default/virtualclusterinstances/demo`
    const onHost = '/kubernetes/cluster/host/api/v1/namespaces/tenant-demo'
    const { status } = await must('GET', demo)
    expect(await statusOf(onHost)).toBe(200)
    const dialog = await openDialog('/virtual-clusters/default/demo')
    await dialog.getByText('all of it goes').waitFor()
    expect(await dialog.getByText('keeps running').count()).toBe(0)
    await confirm('demo')
    await eventually(async () => expect(await statusOf(onHost)).toBe(404))
    await eventually(async () =>
      expect(await statusOf(`${management}/ownedaccesskeys/${status.link.accessKey}`)).toBe(404),
    )
  })

  it('a user is deleted with the keys, and stays listed in teams', async () => {
    const { must, management } = platform
    await must('POST', `${management}/users`, { metadata: { name: 'ann' } })
    await must('POST', `${management}/teams`, { metadata: { name: 'crew' }, spec: { users: ['ann'] } })
    const key = await must('POST', `${management}/ownedaccesskeys`, {
      metadata: { name: 'anns' },
      spec: { user: 'ann' },
    })
    expect(await statusOf(`${management}/ownedaccesskeys`, key.spec.key)).toBe(200)
    const dialog = await openDialog('/users/ann')
    await dialog.getByText('refused at once and deleted').waitFor()
    await dialog.getByText('Teams and projects keep the name in their lists').waitFor()
    await confirm('ann')
    expect(await statusOf(`${management}/ownedaccesskeys`, key.spec.key)).toBe(401)
    await eventually(async () => expect(await statusOf(`${management}/ownedaccesskeys/anns`)).toBe(404))
    expect((await must('GET', `${management}/teams/crew`)).spec.users).toEqual(['ann'])
  })

  it('a team is deleted with its keys, and its members stay', async () => {
    const { must, management } = platform
    await must('POST', `${management}/users`, { metadata: { name: 'bob' } })
    await must('POST', `${management}/teams`, { metadata: { name: 'night' }, spec: { users: ['bob'] } })
    const key = await must('POST', `${management}/ownedaccesskeys`, {
      metadata: { name: 'nights' },
      spec: { team: 'night' },
    })
    const dialog = await openDialog('/teams/night')
    await dialog.getByText('Its members stay').waitFor()
    await confirm('night')
    expect(await statusOf(`${management}/ownedaccesskeys`, key.spec.key)).toBe(401)
    expect(await statusOf(`${management}/users/bob`)).toBe(200)
  })

  it('a project leaves its objects, and its namespace is deleted with the last of them', async () => {
    const { must, management } = platform
    const apiVersion = management.slice('/apis/'.length)
    await must('POST', `${management}/projects`, { metadata: { name: 'shop' } })
    const spaces = `${management}/namespaces/p-shop/spaceinstances`
    await eventually(async () => expect(await statusOf('/api/v1/namespaces/p-shop')).toBe(200))
    await must('POST', spaces, {
      apiVersion,
      kind: 'SpaceInstance',
      metadata: { name: 'yard' },
      spec: { clusterRef: { cluster: 'host', namespace: 'yard' } },
    })
    const dialog = await openDialog('/projects/shop')
    await dialog.getByText('virtual clusters and spaces stay').waitFor()
    await confirm('shop')
    expect(await statusOf(`${spaces}/yard`)).toBe(200)
    await must('DELETE', `${spaces}/yard`)
    await eventually(async () => expect(await statusOf('/api/v1/namespaces/p-shop')).toBe(404))
  })

  it('a cluster is removed, and the Secret with its kubeconfig stays', async () => {
    const { management } = platform
    const dialog = await openDialog('/clusters/host')
    await dialog.getByText('Nothing on the cluster itself is touched').waitFor()
    await dialog.getByText('kubeconfig stays').waitFor()
    await confirm('host')
    expect(await statusOf(`${management}/clusters/host`)).toBe(404)
    expect(await statusOf('/kubernetes/cluster/host/version')).toBe(404)
    expect(await statusOf('/api/v1/namespaces/kube-system/secrets/cluster-host')).toBe(200)
  })
})
