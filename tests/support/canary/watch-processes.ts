import { ChildProcess } from 'node:child_process'
import { basename } from 'node:path'
import { after, before } from './patch-method.ts'
import type { Watcher } from './watcher.ts'

/** Searches the output of every process that this one starts, and sets its environment variables. */
export function watchProcesses(watcher: Watcher, variables: () => Readonly<Record<string, string>>): void {
  before(ChildProcess.prototype, 'spawn', (child, [options]) =>
    watcher.safely(() => {
      if (typeof options !== 'object' || options === null) return
      watcher.commands.set(child, commandOf(Reflect.get(options, 'args')))
      addTo(Reflect.get(options, 'envPairs'), variables())
    }),
  )
  after(ChildProcess.prototype, 'spawn', (_, child) =>
    watcher.safely(() => {
      for (const name of ['stdout', 'stderr'] as const) {
        const stream: unknown = Reflect.get(child, name)
        if (typeof stream !== 'object' || stream === null) continue
        const look = watcher.follow(() => ({
          at: 'output',
          command: watcher.commands.get(child) ?? [],
          stream: name,
        }))
        before(stream, 'push', (_stream, [chunk]) => look(chunk))
      }
    }),
  )
}

const maxWordLength = 60

/** Without the folders of programs and scripts, which are long and differ between machines. */
function commandOf(args: unknown): readonly string[] {
  if (!Array.isArray(args)) return []
  return args.map((word, index) => {
    const text = String(word)
    return (index < 2 ? basename(text) : text).slice(0, maxWordLength)
  })
}

function addTo(pairs: unknown, variables: Readonly<Record<string, string>>): void {
  if (!Array.isArray(pairs)) return
  for (const [name, value] of Object.entries(variables)) {
    const existing = pairs.findIndex((pair) => String(pair).startsWith(`${name}=`))
    if (existing < 0) pairs.push(`${name}=${value}`)
    else if (name === 'NODE_OPTIONS') pairs[existing] = withOption(String(pairs[existing]), value)
    else pairs[existing] = `${name}=${value}`
  }
}

function withOption(pair: string, option: string): string {
  return pair.includes(option) ? pair : `${pair} ${option}`
}
