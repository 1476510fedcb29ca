import { parsedLines, type RawAnswer } from '../../support/network/call.ts'
import { inCanonicalOrder } from './canonical.ts'
import type { Normalizer } from './normalize.ts'
import { isObject, pick, remove } from './paths.ts'
import type { Answer, Step } from './recording.ts'
import { fits } from './scripted-hooks.ts'

const comparedHeaders = [
  'content-type',
  'content-encoding',
  'warning',
  'retry-after',
  'location',
  'vary',
  'cache-control',
  'x-content-type-options',
  'www-authenticate',
]

export function parsedBody(step: Step, status: number, text: string): unknown {
  try {
    return step.watch !== undefined && status === 200 ? parsedLines(text) : JSON.parse(text)
  } catch {
    return step.grep === undefined ? text.slice(0, 300) : text
  }
}

/** An answer in the form of the recording. */
export function shownAnswer(
  step: Step,
  { status, headers }: Omit<RawAnswer, 'text'>,
  text: string,
  { scan, normal }: Normalizer,
): Answer {
  const body = parsedBody(step, status, text)
  scan(body)
  return {
    id: step.id,
    status,
    headers: Object.fromEntries(
      comparedHeaders
        .filter((name) => headers[name] !== undefined)
        .map((name) => [name, normal(headers[name]?.join(', '))]),
    ),
    auditId: headers['audit-id'] !== undefined,
    body: withSortedLists(step, normalBody(step, comparedPart(step, status, body, text), normal)),
  }
}

function comparedPart(step: Step, status: number, body: unknown, text: string): unknown {
  const part = chosenPart(step, status, body, text)
  for (const path of step.drop ?? []) {
    if (path !== 'status' || !isObject(part) || part.kind !== 'Status') remove(part, path)
  }
  return part
}

function chosenPart(step: Step, status: number, body: unknown, text: string): unknown {
  if (step.grep !== undefined) {
    return Object.fromEntries(step.grep.map((pattern) => [pattern, new RegExp(pattern, 'm').test(text)]))
  }
  if (step.contains !== undefined) return containedOnes(body, step.contains)
  if (step.pick === undefined) return body
  const picked = pickedPart(body, step.pick)
  if (status >= 400 && isNothing(step.pick, picked)) return body
  return step.sortPick && Array.isArray(picked) ? inCanonicalOrder(picked) : picked
}

function containedOnes(body: unknown, [path, wanted]: readonly [string, readonly unknown[]]): unknown {
  const found = pick(body, path)
  const present = new Set(Array.isArray(found) ? found.map((each) => JSON.stringify(each)) : [])
  return Object.fromEntries(wanted.map((each) => [JSON.stringify(each), present.has(JSON.stringify(each))]))
}

function pickedPart(body: unknown, paths: string | readonly string[]): unknown {
  return typeof paths === 'string'
    ? pick(body, paths)
    : Object.fromEntries(paths.map((path) => [path, pick(body, path)]))
}

function isNothing(paths: string | readonly string[], picked: unknown): boolean {
  return typeof paths === 'string' ? picked === null : Object.values(picked ?? {}).every((value) => value === null)
}

/** Values picked by path are normalized by the last part of their path. */
function normalBody({ pick: paths }: Step, body: unknown, normal: Normalizer['normal']): unknown {
  const isByPath = Array.isArray(paths) && isObject(body) && Object.keys(body).join() === paths.join()
  if (!isByPath) return normal(body)
  return Object.fromEntries(
    Object.entries(body).map(([path, value]) => {
      const leaf = path.slice(path.lastIndexOf('.') + 1)
      const shown = normal({ [leaf]: value })
      return [path, isObject(shown) ? Object.values(shown)[0] : shown]
    }),
  )
}

function withSortedLists({ sorted = [] }: Step, body: unknown): unknown {
  let result = body
  for (const path of sorted) {
    if (isObject(result) && Array.isArray(result[path])) {
      result = { ...result, [path]: inCanonicalOrder(result[path]) }
    } else {
      const found = pick(result, path)
      if (path === '' && Array.isArray(result)) result = inCanonicalOrder(result)
      else if (Array.isArray(found)) found.splice(0, found.length, ...inCanonicalOrder(found))
    }
  }
  return result
}

/** The requests to the story's server, in the form of the recording. */
export function shownCalls(step: Step, calls: readonly unknown[], { normal }: Normalizer): Answer {
  const { id, match = {}, pick: paths = [] } = step
  const matching = calls.filter((call) => fits(match, call))
  const picked = matching.map((call) => normalBody(step, pickedPart(call, paths), normal))
  return { id, status: 200, body: step.sortPick === true ? inCanonicalOrder(picked) : picked }
}
