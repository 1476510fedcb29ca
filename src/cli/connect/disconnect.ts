import { say } from '../output/messages.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { editKubeconfig, kubeconfigFile } from './kubeconfig-file.ts'
import { type Disconnected, withoutEntry } from './kubeconfig-text.ts'

export async function disconnect({ kubeconfig }: { readonly kubeconfig?: string }, terminal: Terminal): Promise<void> {
  const file = await kubeconfigFile(kubeconfig, terminal)
  let outcome: Disconnected = { state: 'not-connected' }
  await editKubeconfig(file, (text) => {
    outcome = withoutEntry(text)
    if (outcome.state === 'not-connected')
      throw new Error('the current context was not made by tenant connect; nothing was changed')
    return outcome.text
  })
  tell(outcome, terminal)
}

function tell(outcome: Disconnected, terminal: Terminal): void {
  if (outcome.state === 'not-connected') return
  const { from, to } = outcome
  say(terminal, to === '' ? `${from} is gone; kubectl has no current context now.` : `kubectl is back at ${to}.`)
}
