import type { Terminal } from '../../terminal/terminal.ts'
import type { KeyActions } from './keys-command.ts'

/** The implementation is loaded when a command runs. */
export function keyActions(terminal: Terminal): KeyActions {
  return {
    create: async (options) => (await import('./create.ts')).create(options, terminal),
    list: async (options) => (await import('./list.ts')).showKeys(options, terminal),
    get: async (options) => (await import('./get.ts')).get(options, terminal),
    rotate: async (options) => (await import('./rotate.ts')).rotate(options, terminal),
    setState: async (options) => (await import('./set-state.ts')).setState(options, terminal),
    remove: async (options) => (await import('./remove.ts')).remove(options, terminal),
    explain: async (options) => (await import('./explain.ts')).explainKey(options, terminal),
    secrets: async (options) => (await import('./secrets.ts')).keySecrets(options, terminal),
    advise: async (options) => (await import('./advise.ts')).advise(options, terminal),
  }
}
