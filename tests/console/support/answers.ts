import type { Page, Route } from 'playwright-core'

/** Which requests are meant. */
export type Asked = (url: URL) => boolean

/** Of the API: the address of a page may end with the same. */
export const pathEnds =
  (end: string): Asked =>
  ({ pathname }) =>
    /^\/(apis|kubernetes)\//.test(pathname) && pathname.endsWith(end)

export const notReady = 'The store of the platform is not ready.'

export interface HeldAnswers {
  /** From now on each request, those that wait included, is answered with a 503. */
  fail(): void
  /** From now on the platform answers. */
  pass(): Promise<void>
}

/** Keeps requests without an answer, as a slow platform does. */
export async function holdAnswers(page: Page, asked: Asked): Promise<HeldAnswers> {
  let fail = () => {}
  const failing = new Promise<void>((resolve) => {
    fail = resolve
  })
  const answer = async (route: Route) => {
    await failing
    // The page may have gone on meanwhile.
    await route.fulfill({ status: 503, json: unavailable }).catch(() => {})
  }
  await page.route(asked, answer)
  return { fail, pass: () => page.unroute(asked, answer) }
}

const unavailable = {
  ...{ kind: 'Status', apiVersion: 'v1', status: 'Failure' },
  ...{ message: notReady, reason: 'ServiceUnavailable', code: 503 },
}

/** Changes what the platform answered. */
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
