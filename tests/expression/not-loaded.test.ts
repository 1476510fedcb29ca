import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Prints at the end what was loaded: the parser, and the code that starts the sandbox. */
const probe = `
import { createRequire, register } from 'node:module'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
const { port1, port2 } = new MessageChannel()
const hooks = \`
let port
export const initialize = (data) => { port = data.port }
export async function load(url, context, next) { port.postMessage(url); return next(url, context) }\`
register('data:text/javascript,' + encodeURIComponent(hooks), { data: { port: port2 }, transferList: [port2] })
process.once('exit', () => {
  const imported = []
  for (let told = receiveMessageOnPort(port1); told; told = receiveMessageOnPort(port1)) imported.push(told.message)
  const urls = [...imported, ...Object.keys(createRequire('file:///').cache)]
  const loaded = ['/cli/main.js', '/node_modules/acorn/', '/node_modules/quickjs-wasi/', '/expression/engine.js']
    .filter((part) => urls.some((url) => url.includes(part)))
  process.stdout.write('\\n' + JSON.stringify(loaded))
})`

describe('the sandbox and the parser of expressions', () => {
  async function loadedBy(config: string): Promise<unknown> {
    const hook = `data:text/javascript,${encodeURIComponent(probe)}`
    const run = promisify(execFile)(process.execPath, ['--import', hook, main, 'config', 'validate', '-f', '-'], {
      timeout: 240_000,
    })
    run.child.stdin?.end(config)
    const { stdout } = await run
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  }

  const patch = (fields: string) => `sync: {toHost: {endpoints: {patches: [{path: metadata.labels.app, ${fields}}]}}}`

  it.each<[string, string, readonly string[]]>([
    ['no patch is configured', '{}', []],
    ['patches have no expressions', patch('reference: {apiVersion: v1, kind: Secret}'), []],
    ['expressions are checked', patch('expression: value'), ['/node_modules/acorn/']],
    [
      'a pair of expressions is tried',
      patch('expression: value, reverseExpression: value'),
      ['/node_modules/acorn/', '/expression/engine.js'],
    ],
  ])('are loaded only as needed when %s', async (_name, config, expected) => {
    expect(await loadedBy(config)).toEqual(['/cli/main.js', ...expected])
  })
})
