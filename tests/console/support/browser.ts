import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../../support/programs/chromium-path.ts'
import { askForShared } from '../../support/shared/ask-for-shared.ts'

const output = fileURLToPath(new URL('../../../test-output/console/', import.meta.url))
/** No test compares screenshots: they are for people who want to see the console, and take much of the time. */
const areShotsWanted = (process.env.CONSOLE_SHOTS ?? '') !== ''

/** Why browser tests cannot run here; undefined if they can. In CI a missing browser fails the tests. */
export const noBrowser =
  chromiumPath === undefined && process.env.CI !== 'true'
    ? 'Chromium is not installed (Debian package chromium-headless-shell)'
    : undefined

export interface View {
  readonly width?: 1280 | 320
  readonly theme?: 'light' | 'dark'
}

/** A user of the console. */
export interface Visitor {
  readonly page: Page
  /** Errors and warnings of the browser; empty if all is well. */
  readonly complaints: string[]
  /** Addresses of all requests. */
  readonly requested: string[]
  /** Saves a screenshot of the whole page to test-output, if CONSOLE_SHOTS is set. */
  shot(name: string): Promise<void>
  leave(): Promise<void>
}

/** A connection to the browser that suites share: closing it closes everything that it opened. */
export async function openBrowser(): Promise<Browser> {
  mkdirSync(output, { recursive: true })
  const { endpoint } = await askForShared('browser')
  return chromium.connect(endpoint)
}

export async function visit(browser: Browser, { width = 1280, theme = 'light' }: View = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width, height: width < 640 ? 844 : 800 },
    colorScheme: theme,
    ignoreHTTPSErrors: true,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(180_000)
  const complaints: string[] = []
  const requested: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requested.push(request.url()))
  return {
    page,
    complaints,
    requested,
    shot: async (name) => {
      if (areShotsWanted) await page.screenshot({ path: `${output}${name}-${width}-${theme}.png`, fullPage: true })
    },
    leave: () => context.close(),
  }
}

export async function signIn({ page }: Visitor, url: string, key: string, path = '/'): Promise<void> {
  await page.goto(`${url}${path}`)
  await page.getByLabel('Access key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page
    .getByRole('navigation')
    .or(page.getByRole('button', { name: 'Open the navigation' }))
    .first()
    .waitFor()
}
