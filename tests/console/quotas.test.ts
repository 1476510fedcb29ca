import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, signIn, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('a user with no room for another key', () => {
  let platform: RunningConsole
  let browser: Browser
  let key = ''

  beforeAll(async () => {
    const flags = ['--max-keys-per-owner', '1']
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false, flags }), openBrowser()])
    await platform.must('POST', `${platform.management}/users`, { metadata: { name: 'ada' }, spec: {} })
    const path = `${platform.management}/ownedaccesskeys`
    key = (await platform.must('POST', path, { metadata: { name: 'only' }, spec: { user: 'ada' } })).spec.key
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  it('sees the reason and the remedy in the console before creating the key', async () => {
    const visitor = await visit(browser)
    const { page } = visitor
    await signIn(visitor, platform.url, key, '/keys')
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Display name').fill('One more')
    for (let step = 0; step < 3; step += 1) await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByLabel('Everything its owner may reach').check()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const alert = dialog.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toContain(
      'exceeded quota: access keys of user ada, requested: 1, used: 1, limited: 1; delete access keys that are no longer needed, or ask an administrator of the platform to raise --max-keys-per-owner',
    )
  })
})
