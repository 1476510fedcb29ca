import type { Page, Route } from 'playwright-core'

/** Selects requests. */
export type Asked = (url: URL) => boolean

/** Only requests to the API: the address of a page may have the same end. */
export const pathEnds =
  (end: string): Asked =>
  ({ pathname }) =>
    /^\/(apis|kubernetes)\//.test(pathname) && pathname.endsWith(end)

export const notReady = 'The store of the platform is not ready.'

export interface HeldAnswers {
  /** From now on each request, including waiting ones, is answered with a 503. */
  fail(): void
  /** From now on requests wait again: the page, which retries automatically, stays as it is. */
  hold(): void
  /** From now on the platform answers, including waiting requests. */
  pass(): Promise<void>
}

type Outcome = (route: Route) => Promise<void>

const failed: Outcome = (route) => route.fulfill({ status: 503, json: unavailable })
const passed: Outcome = (route) => route.fallback()

function undecided() {
  let resolve: (outcome: Outcome) => void = () => {}
  const promise = new Promise<Outcome>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Withholds answers, like a slow platform. */
export async function holdAnswers(page: Page, asked: Asked): Promise<HeldAnswers> {
  let decided = undecided()
  const answer = async (route: Route) => {
    const outcome = await decided.promise
    // The page may have navigated away in the meantime.
    await outcome(route).catch(() => {})
  }
  await page.route(asked, answer)
  return {
    fail: () => decided.resolve(failed),
    hold: () => {
      decided = undecided()
    },
    pass: async () => {
      decided.resolve(passed)
      await page.unroute(asked, answer)
    },
  }
}

const unavailable = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: notReady,
  reason: 'ServiceUnavailable',
  code: 503,
}

/** Changes answers of the platform. */
export async function changeAnswers(
  page: Page,
  asked: Asked,
  change: (body: Readonly<Record<string, unknown>>) => unknown,
): Promise<() => Promise<void>> {
  const answer = async (route: Route) => {
    if (new URL(route.request().url()).searchParams.has('watch')) return route.continue()
    const response = await route.fetch()
    return route.fulfill({ response, json: change(await response.json()) })
  }
  await page.route(asked, answer)
  return () => page.unroute(asked, answer)
}
