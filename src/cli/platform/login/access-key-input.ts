import { isMistyped } from '../../../auth/keys/values/key-value.ts'
import { UsageError } from '../../../base/usage-error.ts'
import { warn } from '../../output/messages.ts'
import type { Prompt } from '../../terminal/prompt.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { LoginKeySource } from './login-options.ts'

/** The key, wherever it comes from. Errors do not show it. */
export async function readAccessKey(
  source: LoginKeySource,
  terminal: Terminal,
  prompt: Prompt | undefined,
): Promise<string> {
  const key = (await textFrom(source, terminal, prompt)).trim()
  if (key === '') throw new UsageError('the access key is empty')
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('the access key holds a space or another character that no key has')
  }
  if (isMistyped(key)) {
    throw new UsageError(
      'the access key is mistyped or cut off: its checksum is wrong. Nothing was sent to the platform',
    )
  }
  return key
}

async function textFrom(source: LoginKeySource, terminal: Terminal, prompt: Prompt | undefined): Promise<string> {
  switch (source.from) {
    case 'flag':
      warn(
        terminal,
        'other users of this machine can see --access-key; use --access-key-stdin or TENANT_ACCESS_KEY instead',
      )
      return source.value
    case 'environment':
      return source.value
    case 'stdin':
      return readStandardInput(terminal.stdin)
    case 'browser':
    case 'device':
    case 'exchange':
    case 'prompt':
      return (await prompt?.askHidden('Access key: ')) ?? noKey()
  }
}

function noKey(): never {
  throw new UsageError('no access key: pass --access-key-stdin, or set TENANT_ACCESS_KEY')
}

export async function readStandardInput(input: Terminal['stdin']): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of input ?? []) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
