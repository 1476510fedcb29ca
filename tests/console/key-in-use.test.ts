import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, signIn, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('the key that the user is signed in with', () => {
  let platform: RunningConsole
  let browser: Browser

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
    await platform.must('POST', `${platform.management}/users`, { metadata: { name: 'ada' } })
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  const signedInWith = async (name: string, spec: object, path = '/keys') => {
    const key = await platform.must('POST', `${platform.management}/ownedaccesskeys`, {
      metadata: { name },
      spec: { user: 'ada', ...spec },
    })
    const visitor = await visit(browser)
    await signIn(visitor, platform.url, key.spec.key, path)
    return visitor
  }

  it('is asked for again when it expires', async () => {
    const { page, leave } = await signedInWith('brief', { ttl: 3600 })
    await page.getByRole('link', { name: 'brief' }).waitFor()
    const body = { spec: { ttl: 1 } }
    const type = 'application/merge-patch+json'
    const { status } = await platform.ask('PATCH', `${platform.management}/ownedaccesskeys/brief`, { body, type })
    expect(status).toBe(200)
    await page.getByText('Your session has ended.').waitFor()
    await page.getByLabel('Access key').waitFor()
    await leave()
  })

  it('shows its new value after a rotation without overlap, and continues with it', async () => {
    const { page, leave } = await signedInWith('turned', {}, '/keys/turned')
    await page.getByRole('button', { name: 'Rotate…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You are signed in with this key.').waitFor()
    await dialog.getByLabel('Not at all').check()
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    const value = (await page.getByTestId('key-value').textContent()) ?? ''
    expect((await platform.ask('GET', '/version', { token: value })).status).toBe(200)
    await platform.must('POST', `${platform.management}/ownedaccesskeys`, {
      metadata: { name: 'later' },
      spec: { user: 'ada' },
    })
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('link', { name: 'Access keys' }).click()
    await page.getByRole('link', { name: 'later' }).waitFor()
    expect(await page.getByLabel('Access key', { exact: true }).count()).toBe(0)
    await leave()
  })

  it('is shown with the consequences of ending it', async () => {
    const { page, leave } = await signedInWith('ended', {}, '/keys/ended')
    const warning = page.getByRole('dialog').getByText('You are signed in with this key')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await warning.waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Disable' }).click()
    await warning.waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Your session has ended.').waitFor()
    await leave()
  })

  it('is shown with its end even if it may not read itself', async () => {
    const { page, leave } = await signedInWith(
      'narrow',
      { ttl: 3600, scope: { roles: [{ role: 'platformCLI' }] } },
      '/users',
    )
    await page.getByRole('button', { name: 'ada', exact: true }).click()
    await page.getByText(/until \d+ \w+ \d{4}/).waitFor()
    await leave()
  })
})
