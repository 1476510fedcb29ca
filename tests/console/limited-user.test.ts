import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('the console for a member of one project', () => {
  let platform: RunningConsole
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
    const { must, management } = platform
    await must('POST', `${management}/users`, { metadata: { name: 'ann' } })
    await must('POST', `${management}/projects`, {
      metadata: { name: 'shop' },
      spec: { displayName: 'The shop', members: [{ kind: 'User', name: 'ann', role: 'admin' }] },
    })
    const key = await must('POST', `${management}/ownedaccesskeys`, {
      metadata: { name: 'anns' },
      spec: { user: 'ann' },
    })
    visitor = await visit(browser)
    await signIn(visitor, platform.url, key.spec.key)
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  it('shows no zero for what she may not know, and no first steps', async () => {
    const { page } = visitor
    await page.getByText('your key may not list them').first().waitFor()
    await page.getByRole('region', { name: 'Links' }).getByRole('alert').waitFor()
    expect(await page.getByText('0 of 0').count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
    await visitor.shot('overview-of-a-member')
  })

  it('shows her own project, which she may get and not list', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/projects/shop`)
    await page.getByRole('heading', { name: 'The shop' }).waitFor()
    await page.getByText('p-shop').waitFor()
  })

  it('says what is refused, and nothing beside it', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/users`)
    await page.getByRole('alert').getByText('cannot list').waitFor()
    expect(await page.getByText('Loading…').count()).toBe(0)
  })

  it('does not take a refusal for the end of the session', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/keys`)
    await page.getByRole('link', { name: 'anns' }).waitFor()
  })
})
