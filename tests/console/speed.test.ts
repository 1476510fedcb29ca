import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keysPath, management, startPlatform, type TestPlatform, userNamed } from '../platform/platform.ts'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'
import { clickDelay, inputDelay, longestTask, observeLongTasks } from './support/page-times.ts'

/** `CONSOLE_KEYS=50000` measures what docs/console.md promises. Times are printed and decide nothing. */
const keyCount = Number(process.env.CONSOLE_KEYS ?? 600)
const changeCount = 300
const changeEveryMs = 5
const atOnce = 24
const dayMs = 86_400_000

describe.skipIf(noBrowser !== undefined)(`the console with ${keyCount} keys`, () => {
  let platform: TestPlatform
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    platform = await startPlatform()
    browser = await openBrowser()
    await platform.must('POST', `${management}/users`, userNamed('ada'))
    await inParallel(keyCount, (index) =>
      platform.must('POST', keysPath, {
        metadata: { name: `key-${index}` },
        spec: { displayName: `pipeline-${index}`, user: 'ada', ttl: (dayMs / 1000) * (1 + (index % 10)) },
      }),
    )
    visitor = await visit(browser)
    await signIn(visitor, platform.server.url, 'admin-token', '/users')
  }, 600_000)

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  it('shows a usable page to a user who is signed in', async () => {
    const { page } = visitor
    await page.goto('about:blank')
    const startedMs = performance.now()
    await page.goto(`${platform.server.url}/users`, { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'ada' }).waitFor()
    tell('is interactive', performance.now() - startedMs, 1000)
    await page.getByLabel('Search Users').fill('ada')
    expect(await page.getByLabel('Search Users').inputValue()).toBe('ada')
  })

  it('counts all of them and draws a screenful', async () => {
    const { page } = visitor
    const startedMs = performance.now()
    await page.getByRole('link', { name: 'Access keys' }).click()
    await page.getByRole('cell').first().waitFor()
    tell('shows the first', performance.now() - startedMs, 1500)
    await page.getByText(`${keyCount.toLocaleString('en')} keys`, { exact: true }).waitFor()
    tell('shows all', performance.now() - startedMs, 1500)
    expect(await page.getByRole('table', { name: 'Access keys' }).getAttribute('aria-rowcount')).toBe(
      String(keyCount + 1),
    )
    expect(await page.getByRole('row').count()).toBeLessThan(100)
  })

  it('shows the keys that match a search, and all again when it is cleared', async () => {
    const { page } = visitor
    await page.getByLabel('Search access keys').focus()
    tell('filters', await page.evaluate<number>(inputDelay('line-4')), 100)
    const fitting = displayNames().filter((name) => name.includes('line-4'))
    await expect.poll(() => rowCount(page)).toBe(fitting.length)
    const shown = await shownNames(page)
    expect(shown).toEqual(fitting.slice(0, shown.length))
    tell('filters nothing', await page.evaluate<number>(inputDelay('')), 100)
    await expect.poll(() => rowCount(page)).toBe(keyCount)
  })

  it('sorts by expiry, in both directions', async () => {
    const { page } = visitor
    for (const direction of ['ascending', 'descending']) {
      tell(`sorts, ${direction},`, await page.evaluate<number>(clickDelay('Expires')), 100)
      const header = page.getByRole('columnheader', { name: /Expires/ })
      expect(await header.getAttribute('aria-sort')).toBe(direction)
      const ends = await shownEnds(page)
      expect(ends).toEqual([...ends].sort((a, b) => (direction === 'ascending' ? a - b : b - a)))
      expect(new Set(ends.map((endMs) => Math.floor(endMs / dayMs))).size).toBeLessThan(3)
    }
  })

  it(`shows the last of ${changeCount} changes that come 200 a second`, async () => {
    const { page } = visitor
    await page.evaluate(observeLongTasks)
    const startedMs = performance.now()
    await inParallel(changeCount, async (index) => {
      await waitUntil(startedMs + index * changeEveryMs)
      const answer = await platform.ask('PATCH', `${keysPath}/key-${index % keyCount}`, {
        body: { spec: { description: `changed ${index}` } },
        type: 'application/merge-patch+json',
      })
      expect(answer.status, answer.text).toBe(200)
    })
    tell(`took ${changeCount} changes within`, performance.now() - startedMs, changeCount * changeEveryMs)
    tell('longest task meanwhile', await page.evaluate<number>(longestTask), 100)
    await page.getByLabel('Search access keys').fill('changed')
    await expect.poll(() => rowCount(page)).toBe(Math.min(changeCount, keyCount))
    await page.getByLabel('Search access keys').fill(`changed ${changeCount - 1}`)
    await expect.poll(() => shownNames(page)).toContain(`pipeline-${(changeCount - 1) % keyCount}`)
    expect(visitor.complaints).toEqual([])
  })
})

function displayNames(): readonly string[] {
  return Array.from({ length: keyCount }, (_, index) => `pipeline-${index}`).sort()
}

function shownNames(page: Page): Promise<readonly string[]> {
  return page.getByRole('row').getByRole('link').allTextContents()
}

async function rowCount(page: Page): Promise<number> {
  return Number(await page.getByRole('table', { name: 'Access keys' }).getAttribute('aria-rowcount')) - 1
}

async function shownEnds(page: Page): Promise<readonly number[]> {
  const times = await page.getByRole('row').locator('time').all()
  const texts = await Promise.all(times.map((time) => time.getAttribute('datetime')))
  return texts.map((text) => Date.parse(text ?? ''))
}

function tell(what: string, ms: number, budgetMs: number): void {
  process.stdout.write(`console, ${keyCount} keys: ${what} ${Math.round(ms)} ms, of ${budgetMs} with 50,000\n`)
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

function waitUntil(atMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - performance.now())))
}
