import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('users, teams, projects and clusters in the console', () => {
  let platform: RunningConsole
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
    visitor = await visit(browser)
    await signIn(visitor, platform.url, platform.adminKey)
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  const stored = (plural: string, name: string) => platform.must('GET', `${platform.management}/${plural}/${name}`)
  const dialog = () => visitor.page.getByRole('dialog')
  const begin = async (path: string, action: string) => {
    await visitor.page.goto(`${platform.url}${path}`)
    await visitor.page.getByRole('button', { name: action }).first().click()
  }
  const finish = async (action: string) => {
    await dialog().getByRole('button', { name: action }).click()
    await dialog().waitFor({ state: 'detached' })
  }

  it('creates, changes, locks and deletes a user', async () => {
    const { page } = visitor
    await begin('/users', 'Create user')
    await dialog().getByLabel('Name', { exact: true }).fill('ada')
    await dialog().getByLabel('Display name').fill('Ada')
    await dialog().getByLabel('Mail address').fill('ada@example.com')
    await finish('Create')
    await page.getByRole('link', { name: 'Ada' }).click()
    await page.getByText('ada@example.com').waitFor()
    await page.getByRole('button', { name: 'Edit…' }).click()
    await dialog().getByLabel('Groups').fill('builders, testers')
    await dialog().getByLabel('Locked').check()
    await finish('Save')
    await page.getByText('builders, testers').waitFor()
    expect((await stored('users', 'ada')).spec).toEqual({
      displayName: 'Ada',
      email: 'ada@example.com',
      groups: ['builders', 'testers'],
      disabled: true,
    })
    await page.getByRole('button', { name: 'Delete…' }).click()
    await dialog().getByLabel('Type ada to confirm').fill('ada')
    await finish('Delete')
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    expect((await platform.ask('GET', `${platform.management}/users/ada`)).status).toBe(404)
  })

  it('keeps a form with input open on Escape and on a click outside, and closes an untouched one', async () => {
    const { page } = visitor
    await begin('/users', 'Create user')
    await dialog().getByLabel('Display name').fill('Kept')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    expect(await dialog().getByLabel('Display name').inputValue()).toBe('Kept')
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Create user' }).click()
    await dialog().waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  it('shows the error of the API for an invalid name, and keeps the input', async () => {
    await begin('/users', 'Create user')
    await dialog().getByLabel('Name', { exact: true }).fill('Not A Name')
    await dialog().getByLabel('Display name').fill('Kept')
    await dialog().getByRole('button', { name: 'Create' }).click()
    await dialog().getByRole('alert').getByText('metadata.name').first().waitFor()
    expect(await dialog().getByLabel('Display name').inputValue()).toBe('Kept')
    await visitor.shot('refused')
  })

  it('creates a team of users', async () => {
    const { page } = visitor
    for (const name of ['grace', 'linus'])
      await platform.must('POST', `${platform.management}/users`, { metadata: { name } })
    await begin('/teams', 'Create team')
    await dialog().getByLabel('Name', { exact: true }).fill('builders')
    await dialog().getByRole('group', { name: 'Members' }).getByLabel('grace').check()
    await finish('Create')
    await page.getByRole('link', { name: 'builders' }).click()
    await page.getByRole('link', { name: 'grace' }).waitFor()
    expect((await stored('teams', 'builders')).spec.users).toEqual(['grace'])
  })

  it('creates a project with members, and removes one again', async () => {
    const { page } = visitor
    await begin('/projects', 'Create project')
    await dialog().getByLabel('Name', { exact: true }).fill('shop')
    await dialog().getByLabel('Display name').fill('The shop')
    await dialog().getByRole('button', { name: 'Add a member' }).click()
    await dialog().getByLabel('Member 1', { exact: true }).selectOption('builders (team)')
    await dialog().getByLabel('Role of member 1').selectOption('admin: everything')
    await dialog().getByRole('button', { name: 'Add a member' }).click()
    await dialog().getByLabel('Member 2', { exact: true }).selectOption('linus')
    await finish('Create')
    expect((await stored('projects', 'shop')).spec.members).toEqual([
      { kind: 'Team', name: 'builders', role: 'admin' },
      { kind: 'User', name: 'linus', role: 'user' },
    ])
    await page.getByRole('link', { name: 'The shop' }).click()
    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByRole('cell', { name: 'builders' }).waitFor()
    await visitor.shot('project-members')
    await page.getByRole('button', { name: 'Edit…' }).click()
    await dialog().getByRole('button', { name: 'Remove linus' }).click()
    await finish('Save')
    await page.getByRole('cell', { name: 'linus' }).waitFor({ state: 'detached' })
    expect((await stored('projects', 'shop')).spec.members).toHaveLength(1)
  })

  it('refuses to overwrite changes of another user while a form is open', async () => {
    await visitor.page.goto(`${platform.url}/projects/shop`)
    await visitor.page.getByRole('button', { name: 'Edit…' }).click()
    await dialog().getByLabel('Description').fill('mine')
    await platform.ask('PATCH', `${platform.management}/projects/shop`, {
      body: { spec: { description: 'theirs' } },
      type: 'application/merge-patch+json',
    })
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().getByRole('alert').getByText('the object has been modified').waitFor()
    expect((await stored('projects', 'shop')).spec.description).toBe('theirs')
  })

  it('registers a cluster', async () => {
    await begin('/clusters', 'Create cluster')
    await dialog().getByLabel('Name', { exact: true }).fill('eu-1')
    await dialog().getByLabel('Secret', { exact: true }).fill('eu-1-kubeconfig')
    await finish('Create')
    await visitor.page.getByRole('link', { name: 'eu-1' }).waitFor()
    await visitor.page.getByRole('row').filter({ hasText: 'eu-1' }).getByText('Not reachable').waitFor()
    expect((await stored('clusters', 'eu-1')).spec.config.secretName).toBe('eu-1-kubeconfig')
  })

  it('causes no browser errors except for the expected refusals', () => {
    // The cluster without a kubeconfig cannot be reached: the 503 is expected.
    expect(visitor.complaints.filter((text) => !/status of (409|422|503)/.test(text))).toEqual([])
  })
})
