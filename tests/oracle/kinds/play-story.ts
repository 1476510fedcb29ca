import { Agent } from 'node:https'
import { isDeepStrictEqual } from 'node:util'
import { call, pythonJson, type RawAnswer } from '../../support/network/call.ts'
import { createNormalizer } from './normalize.ts'
import { isObject, pick, put } from './paths.ts'
import type { Answer, Step, Story } from './recording.ts'
import { type Routes, startScriptedHooks } from './scripted-hooks.ts'
import { parsedBody, shownAnswer, shownCalls } from './shown-answer.ts'

export const tokens: Readonly<Record<string, string>> = { admin: 'admin-token', alice: 'alice-token' }

const pollMs = 50

export interface Patience {
  /** How long a step is repeated until it gets the expected answer. */
  readonly seconds: number
}

/**
 * Plays the steps of one story in order, each with the values that earlier ones saved. Returns the answers to compare.
 */
export async function playStory(port: number, story: Story, patience: Patience): Promise<readonly Answer[]> {
  const player = createPlayer(port, patience)
  const given: Answer[] = []
  for (const step of story.steps) {
    const answer = await player.play(step)
    if (!step.prep) given.push(answer)
  }
  await player.close()
  return given
}

function createPlayer(port: number, patience: Patience) {
  const agent = new Agent({ keepAlive: true })
  const normalizer = createNormalizer()
  const saved = new Map<string, unknown>()
  const watches = new Map<string, { readonly step: Step; readonly answer: RawAnswer }>()
  let hooks: ReturnType<typeof startScriptedHooks> | undefined
  /** If the expected state was not reached once, it will not be reached the next time either. */
  let fruitless = 0

  const filledIn = (text: string) =>
    text
      .replace(/"\$\{(?:int|json):(\w+)\}"/g, (_, name: string) => JSON.stringify(saved.get(name)))
      .replace(/\$\{(\w+)\}/g, (_, name: string) => String(saved.get(name) ?? ''))

  const send = (step: Step): Promise<RawAnswer> => {
    const { method, as = 'admin', watch: lines } = step
    const token = as.startsWith('$') ? saved.get(as.slice(1)) : tokens[as]
    const headers: Record<string, string> = { Authorization: `Bearer ${token}` }
    for (const [name, value] of Object.entries(step.headers ?? {})) headers[name] = filledIn(value)
    const body = step.from === undefined ? step.body : changed(saved.get(step.from), step.set ?? {})
    const sent = typeof body === 'string' || body === undefined ? body : pythonJson(body)
    // It is read up to a number of lines, which come later on a busy machine.
    const recorded = step.live === undefined ? step.path : step.path.replace(/timeoutSeconds=\d+/, 'timeoutSeconds=300')
    const path = filledIn(recorded)
    return call(port, { method, path, headers, body: sent && filledIn(sent), lines }, agent)
  }

  const remember = (step: Step, body: unknown) => {
    for (const [name, path] of Object.entries(step.save ?? {})) saved.set(name, pick(body, path))
  }

  const collected = async (name: string, step: Step): Promise<Answer> => {
    const watch = watches.get(name)
    if (watch === undefined) return { id: step.id, status: 0 }
    return shownAnswer({ ...watch.step, ...step }, watch.answer, await watch.answer.text, normalizer)
  }

  const asked = async (step: Step): Promise<Answer> => {
    const seconds = step.until === undefined || fruitless > 1 ? 0 : patience.seconds
    const deadline = Date.now() + seconds * 1000
    for (;;) {
      const answer = await send(step)
      if (step.live !== undefined) {
        watches.set(step.live, { step, answer })
        return { id: step.id, status: answer.status }
      }
      const text = await answer.text
      const body = parsedBody(step, answer.status, text)
      const isReached = step.until === undefined || fits(step.until, answer.status, body)
      if (isReached || Date.now() >= deadline) {
        if (!isReached) fruitless += 1
        remember(step, body)
        return shownAnswer(step, answer, text, normalizer)
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  const serve = async (step: Step, routes: Routes): Promise<Answer> => {
    hooks ??= startScriptedHooks()
    const { server, serve } = await hooks
    serve(routes)
    saved.set('hook_url', server.url).set('hook_port', server.port).set('hook_ca', server.caBundle)
    return { id: step.id, status: 200 }
  }

  return {
    play: async (step: Step): Promise<Answer> => {
      await new Promise((resolve) => setTimeout(resolve, (step.sleep ?? 0) * 1000))
      if (step.serve !== undefined) return serve(step, step.serve)
      if (step.calls === true) return shownCalls(step, (await hooks)?.calls() ?? [], normalizer)
      return step.collect === undefined ? asked(step) : collected(step.collect, step)
    },
    close: async () => {
      agent.destroy()
      await (await hooks)?.server.stop()
    },
  }
}

function changed(object: unknown, set: Readonly<Record<string, unknown>>): unknown {
  const copy = structuredClone(object)
  for (const [path, value] of Object.entries(set)) put(copy, path, value)
  return copy
}

function fits(until: NonNullable<Step['until']>, status: number, body: unknown): boolean {
  if (typeof until === 'number') return status === until
  return Object.entries(until).every(([path, wanted]) => {
    const value = pick(body, path)
    if (wanted === '@set') return value !== null
    if (path.endsWith('message') && typeof wanted === 'string') return String(value).includes(wanted)
    return isDeepStrictEqual(value, isObject(wanted) ? { ...wanted } : wanted)
  })
}
