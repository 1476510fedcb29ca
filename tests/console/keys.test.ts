import { text } from 'node:stream/consumers'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { holdAnswers, pathEnds } from './support/answers.ts'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'
import { replaceText } from './support/editing.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('access keys in the console', () => {
  let platform: RunningConsole
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
    const { must, management } = platform
    await must('POST', `${management}/users`, { metadata: { name: 'ada' }, spec: { displayName: 'Ada' } })
    await must('POST', `${management}/projects`, { metadata: { name: 'shop' }, spec: { displayName: 'Shop' } })
    visitor = await visit(browser)
    await signIn(visitor, platform.url, platform.adminKey, '/keys')
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  const keysPath = () => `${platform.management}/ownedaccesskeys`
  const make = (name: string, spec: object = {}) =>
    platform.must('POST', keysPath(), { metadata: { name }, spec: { displayName: name, user: 'ada', ...spec } })
  const open = (name: string) => visitor.page.goto(`${platform.url}/keys/${name}`)

  it('starts with the key of the first administrator', async () => {
    await visitor.page.getByRole('link', { name: 'First administrator' }).waitFor()
    await visitor.shot('keys-first')
  })

  it('returns the focus to what opened a dialog, also from a menu', async () => {
    const { page } = visitor
    const create = page.getByRole('button', { name: 'Create key' }).first()
    const actions = page.getByRole('button', { name: 'Actions for First administrator' })
    const isFocused = (opener: typeof create) => opener.evaluate((element) => element === document.activeElement)
    const openAndClose = async () => {
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await create.focus()
    await openAndClose()
    await expect.poll(() => isFocused(create)).toBe(true)
    await actions.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Rotate…' }).focus()
    await openAndClose()
    await expect.poll(() => isFocused(actions)).toBe(true)
  })

  it('creates a key step by step, shows it once, and discards it', async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog')
    const go = () => dialog.getByRole('button', { name: 'Continue' }).click()
    expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Display name').fill('Deploy pipeline')
    await dialog.getByLabel('Description').fill('Deploys the shop')
    await go()
    await dialog.getByLabel('Another user').check()
    await dialog.getByLabel('User', { exact: true }).selectOption('ada')
    await go()
    await dialog.getByLabel('Life', { exact: true }).selectOption('90 days')
    await dialog.getByLabel('Last use').check()
    await go()
    expect(await dialog.getByText('Nothing is picked yet').count()).toBe(1)
    await dialog.getByRole('group', { name: 'Projects, with all that is in them' }).getByLabel('shop').check()
    await dialog.getByLabel('tenant', { exact: false }).first().check()
    const sentence = dialog.getByText('This key acts for the user ada.')
    expect(await sentence.textContent()).toBe(
      'This key acts for the user ada. It may register and link virtual clusters in every project and work with everything in the project shop, as far as its owner may, until it has not been used for 90 days.',
    )
    await visitor.shot('create-scope')
    await go()
    await dialog.getByText('The platform would take it.').waitFor()
    const shownYaml = parse((await dialog.getByRole('region', { name: 'The key as YAML' }).textContent()) ?? '')
    await visitor.shot('create-review')
    await dialog.getByRole('button', { name: 'Create key' }).click()

    const value = (await page.getByTestId('key-value').textContent()) ?? ''
    expect(value).toMatch(/^tpk_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
    await visitor.shot('shown-once')
    await page.keyboard.press('Escape')
    expect(await page.getByTestId('key-value').count()).toBe(1)
    await page.getByRole('button', { name: 'Copy key' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download Secret' }).click(),
    ])
    expect(parse(await text(await file.createReadStream()))).toMatchObject({
      kind: 'Secret',
      metadata: { name: 'tenant-platform-api-key', namespace: 'tenant-platform' },
      stringData: { accessKey: value, host: new URL(platform.url).host },
    })
    for (const tab of ['kubectl', 'curl', 'CI']) await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('link', { name: 'Deploy pipeline' }).waitFor()

    expect(await everythingIn(visitor)).not.toContain(value)
    const { items } = await platform.must('GET', keysPath())
    const made = items.find((key: { spec: { displayName: string } }) => key.spec.displayName === 'Deploy pipeline')
    expect(made.spec).toEqual(shownYaml.spec)
    expect((await platform.ask('GET', '/version', { token: value })).status).toBe(200)
  })

  it('shows changes of others live, and finds them', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/keys`)
    await page.getByRole('link', { name: 'Deploy pipeline' }).waitFor()
    await make('nightly', { ttl: 3600 })
    await page.getByRole('link', { name: 'nightly' }).waitFor()
    await page.getByLabel('Search access keys').fill('deploy shop')
    await page.getByRole('link', { name: 'nightly' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('link', { name: 'Deploy pipeline' }).count()).toBe(1)
    await page.getByLabel('Search access keys').fill('')
    await page.getByLabel('Life').selectOption('Ends within 7 days')
    await page.getByRole('link', { name: 'Deploy pipeline' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('link', { name: 'nightly' }).count()).toBe(1)
    await page.getByLabel('Life').selectOption('Any life')
    await page.getByRole('button', { name: 'Display name' }).click()
    await page.getByRole('columnheader', { name: 'Display name' }).and(page.locator('[aria-sort=descending]')).waitFor()
    await page.getByRole('row').nth(1).getByText('nightly').waitFor()
  })

  it('moves between rows with the arrow keys', async () => {
    const { page } = visitor
    await page.getByRole('link', { name: 'nightly' }).focus()
    const focused = () => page.evaluate('document.activeElement.textContent')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('First administrator')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Deploy pipeline')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Deploy pipeline' }).waitFor()
  })

  it('opens the same tab after a reload and on the way back', async () => {
    const { page } = visitor
    await make('tabbed')
    await open('tabbed')
    await page.getByRole('tab', { name: 'YAML' }).click()
    const isOpen = () => page.getByRole('tab', { name: 'YAML', selected: true }).waitFor()
    await isOpen()
    await page.reload()
    await isOpen()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    await page.goBack()
    await isOpen()
  })

  it('disables and enables a key', async () => {
    const { page } = visitor
    const { spec } = await make('switched')
    await open('switched')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
    expect((await platform.ask('GET', '/version', { token: spec.key })).status).toBe(401)
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    expect((await platform.ask('GET', '/version', { token: spec.key })).status).toBe(200)
  })

  it('rotates a key with an overlap, and shows who still uses the previous value', async () => {
    const { page } = visitor
    const { spec } = await make('rotated')
    await open('rotated')
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await page.getByRole('dialog').getByLabel('1 hour').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    const value = (await page.getByTestId('key-value').textContent()) ?? ''
    expect(value).not.toBe(spec.key)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    expect(
      (await platform.ask('GET', '/version', { token: spec.key, headers: { 'user-agent': 'old-pipeline/1' } })).status,
    ).toBe(200)
    expect((await platform.ask('GET', '/version', { token: value })).status).toBe(200)
    await page.getByRole('heading', { name: 'Rotation under way' }).waitFor()
    await page.getByText('old-pipeline/1').first().waitFor({ timeout: 240_000 })
    await visitor.shot('key-rotating')
    expect(await everythingIn(visitor)).not.toContain(value)
  })

  it('shows the new value after a slow rotation, even if the user tries to close the dialog meanwhile', async () => {
    const { page } = visitor
    await make('slow')
    await open('slow')
    await page.getByRole('button', { name: 'Rotate…' }).click()
    const answers = await holdAnswers(page, pathEnds('/slow/rotate'))
    await page.getByRole('dialog').getByLabel('Not at all').check()
    const asked = page.waitForRequest((request) => request.url().endsWith('/slow/rotate'))
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await asked
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await page.getByRole('button', { name: 'Close' }).click({ force: true })
    await answers.pass()
    const value = (await page.getByTestId('key-value').textContent()) ?? ''
    expect((await platform.ask('GET', '/version', { token: value })).status).toBe(200)
    await page.getByRole('button', { name: 'I have stored it' }).click()
  })

  it('shows each Secret that gets the new value before a rotation, and updates no others', async () => {
    const { page } = visitor
    const { spec } = await make('kept')
    const secrets = '/api/v1/namespaces/default/secrets'
    const data = { accessKey: Buffer.from(spec.key).toString('base64') }
    const add = async (...names: readonly string[]) => {
      const managedSecrets = names.map((name) => ({ namespace: 'default', name }))
      const body = { spec: { managedSecrets } }
      const { status } = await platform.ask('PATCH', `${keysPath()}/kept`, {
        body,
        type: 'application/merge-patch+json',
      })
      expect(status).toBe(200)
    }
    for (const name of ['seen', 'late']) await platform.must('POST', secrets, { metadata: { name }, data })
    await add('seen')
    await open('kept')
    await page.getByRole('region', { name: 'Secrets kept up to date' }).getByText('default/seen').waitFor()
    await page.getByRole('button', { name: 'Rotate…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('default/seen').waitFor()
    await add('seen', 'late')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await dialog.getByText('The key was not rotated').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await dialog.getByText('default/late').waitFor()
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    const value = (await page.getByTestId('key-value').textContent()) ?? ''
    for (const name of ['seen', 'late']) {
      const stored = await platform.must('GET', `${secrets}/${name}`)
      expect(Buffer.from(stored.data.accessKey, 'base64').toString()).toBe(value)
    }
    await page.getByRole('button', { name: 'I have stored it' }).click()
  })

  it('shows how and by whom a key is used, and every request', async () => {
    const { page } = visitor
    const { spec } = await make('used', { scope: { projects: [{ project: 'shop' }] } })
    const headers = { 'user-agent': 'builder/7' }
    const self = { apiVersion: platform.management.slice('/apis/'.length), kind: 'Self' }
    const whoAmI = () => platform.ask('POST', `${platform.management}/selves`, { token: spec.key, headers, body: self })
    for (let count = 0; count < 3; count++) expect((await whoAmI()).status).toBe(201)
    await platform.ask('GET', `${platform.management}/users`, { token: spec.key, headers })
    await open('used')
    await page.getByRole('img', { name: /Use over time: Allowed requests [1-9]/ }).waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText(/^create selves\./).waitFor()
    await page.getByRole('cell', { name: 'builder/7' }).first().waitFor()
    await page.getByLabel('Decision').selectOption('Refused')
    await page.getByText('403').waitFor()
    await visitor.shot('key-activity')
  })

  it('explains why a request was refused, and what would allow it', async () => {
    const { page } = visitor
    await open('used')
    await page.getByRole('tab', { name: 'Why was it refused?' }).click()
    await page.getByLabel('Resource', { exact: true }).fill('users')
    await page.getByLabel('Verb').selectOption('delete')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('Refused', { exact: true }).waitFor()
    expect(await page.getByText('refuses it').count()).toBeGreaterThan(0)
    await visitor.shot('key-explained')
  })

  it('saves YAML, and never overwrites changes of others', async () => {
    const { page } = visitor
    await make('edited', { description: 'before' })
    await open('edited')
    await page.getByRole('tab', { name: 'YAML' }).click()
    await replaceText(page, 'The access key', 'before', 'mine')
    await platform.ask('PATCH', `${keysPath()}/edited`, {
      body: { spec: { description: 'theirs' } },
      type: 'application/merge-patch+json',
    })
    await page.getByText('Another user has changed this object').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.getByText('What they changed').click()
    await page.getByText('+   description: theirs').waitFor()
    await visitor.shot('key-conflict')
    await page.getByRole('button', { name: 'Keep my text, on top of theirs' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await platform.must('GET', `${keysPath()}/edited`)).spec.description).toBe('mine')
  })

  it('keeps what the user types while YAML is being saved', async () => {
    const { page } = visitor
    await make('typed', { description: 'before' })
    await open('typed')
    await page.getByRole('tab', { name: 'YAML' }).click()
    await replaceText(page, 'The access key', 'before', 'first')
    const answers = await holdAnswers(page, pathEnds('/typed'))
    const asked = page.waitForRequest((request) => request.method() === 'PUT')
    await page.getByRole('button', { name: 'Save' }).click()
    await asked
    await replaceText(page, 'The access key', 'first', 'second')
    await answers.pass()
    const stored = async () => (await platform.must('GET', `${keysPath()}/typed`)).spec.description
    await expect.poll(stored).toBe('first')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(stored).toBe('second')
  })

  it('shows the error of the API for invalid YAML', async () => {
    const { page } = visitor
    await open('edited')
    await page.getByRole('tab', { name: 'YAML' }).click()
    await replaceText(page, 'The access key', 'type: User', 'type: Nonsense')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Unsupported value').first().waitFor()
  })

  it('shows who needs a key before it is deleted', async () => {
    const { page } = visitor
    const { spec } = await make('doomed')
    await platform.must('POST', '/api/v1/namespaces/default/secrets', {
      metadata: { name: 'holds-doomed' },
      stringData: { accessKey: spec.key },
    })
    await page.goto(`${platform.url}/keys`)
    await page.getByRole('button', { name: 'Actions for doomed' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('default/holds-doomed').waitFor()
    await visitor.shot('key-delete')
    expect(await dialog.getByRole('button', { name: 'Delete key' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type doomed to confirm').fill('doomed')
    await dialog.getByRole('button', { name: 'Delete key' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'doomed' }).waitFor({ state: 'detached' })
    expect((await platform.ask('GET', '/version', { token: spec.key })).status).toBe(401)
  })

  it('causes no browser errors except for the expected refusals', () => {
    expect(visitor.complaints.filter((text) => !/status of (409|422)/.test(text))).toEqual([])
  })
})

/** The content of every storage that a page can use. */
async function everythingIn({ page }: Visitor): Promise<string> {
  const kept = await page.evaluate<string>(
    'document.documentElement.outerHTML + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + location.href + document.cookie + JSON.stringify(history.state)',
  )
  return kept
}
