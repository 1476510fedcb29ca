import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact?: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/**
 * The default rules whose violations are serious or critical: a violation has the severity of its rule, and findings of
 * other rules would not count. The list is not part of the API of axe: another version may have it elsewhere, and
 * without rules nothing would be found.
 */
const run = (areOnlyColors: boolean) => `(() => {
  const rules = axe._audit.rules
    .filter(({ enabled, tags, impact }) => enabled && !tags.includes('experimental') && /serious|critical/.test(impact))
    .filter(({ tags }) => ${!areOnlyColors} || tags.includes('cat.color'))
    .map(({ id }) => id)
  const fewest = ${areOnlyColors ? 2 : 40}
  if (rules.length < fewest) throw new Error('axe has other rules than expected: ' + rules.length)
  return axe.run({ resultTypes: ['violations'], preload: false, runOnly: rules }).then((result) => result.violations)
})()`

export interface AccessibilityOptions {
  /** For a page that differs from one that was looked at before only in its colors. */
  readonly areOnlyColors?: boolean
}

/** Problems for users of a screen reader or a keyboard, one line each. */
export async function seriousViolations(
  page: Page,
  { areOnlyColors = false }: AccessibilityOptions = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(source)
  const violations = await page.evaluate<readonly Violation[]>(run(areOnlyColors))
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}

/** Nothing may overflow on the right, where users would miss it. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
