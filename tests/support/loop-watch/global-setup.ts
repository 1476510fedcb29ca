import type { TestProject } from 'vitest/node'
import { settingsIn } from '../canary/start-watching.ts'
import { lookAfter } from './look-after.ts'
import { budgetMs, loopFolder, type Starved } from './loop-folder.ts'

/** Watches the event loops of all servers of a run, and fails the run if one was starved. */
export default function prepareLoopWatch(project: TestProject): () => void {
  const settings = settingsIn(project.config.env)
  if (settings === undefined) throw new Error('the configuration of the tests does not say where the canary lives')
  const folder = loopFolder(settings.TENANT_CANARY_FOLDER)
  const stop = lookAfter({
    folder,
    giveUp: ({ test }) => {
      process.stdout.write(`\nEvent loops: the tests themselves hang, during ${test}. The run ends here.\n`)
      process.exit(1)
    },
  })
  return () => {
    stop()
    const starved = folder.starved()
    if (starved.length === 0) return
    process.stdout.write(`\n${reportOn(starved)}\n`)
    process.exitCode = 1
  }
}

function reportOn(starved: readonly Starved[]): string {
  const lines = starved.map(({ command, test, cpuMs, how }) => {
    const what = `${command} computed for ${Math.round(cpuMs)} ms without serving its event loop, ${how}`
    return `  ${what}\n    during ${test || 'the run'}`
  })
  return `Event loops: none may be starved for ${budgetMs} ms. PROBLEMS: ${starved.length}\n${lines.join('\n')}`
}
