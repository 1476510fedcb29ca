import { run } from './run-program.ts'

/** Which state of the sources the image is made of. */
export interface Source {
  readonly revision: string
  /** Since 1970: the time of everything that is made here. */
  readonly seconds: number
}

/** The commit and its time, unless `SOURCE_DATE_EPOCH` says another. */
export async function readSource(env: Readonly<Record<string, string | undefined>>): Promise<Source> {
  const [revision = '', committed = ''] = (await git('log', '-1', '--format=%H %ct')).split(' ')
  const isChanged = (await git('status', '--porcelain', '--untracked-files=no')) !== ''
  return {
    revision: isChanged ? `${revision}-changed` : revision,
    seconds: secondsOf(env.SOURCE_DATE_EPOCH ?? committed),
  }
}

async function git(...args: readonly string[]): Promise<string> {
  return (await run('git', args)).toString().trim()
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (text !== '' && Number.isSafeInteger(seconds) && seconds >= 0) return seconds
  throw new Error(`SOURCE_DATE_EPOCH takes seconds since 1970, not ${JSON.stringify(text)}`)
}
