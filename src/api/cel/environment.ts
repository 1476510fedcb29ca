import { type CelEnvironment, type CelLibrary, celEnvironment } from '../../cel/environment.ts'
import { optionals } from '../../cel/extension/optionals.ts'
import { sets } from '../../cel/extension/sets.ts'
import { stringExtension } from '../../cel/extension/strings.ts'
import { standardLibraries } from '../../cel/standard/standard.ts'
import { kubernetesAuthorizer } from './authorizer.ts'
import { kubernetesFormats } from './formats.ts'
import { kubernetesIp } from './ip.ts'
import { kubernetesLists } from './lists.ts'
import { earlierQuantity, kubernetesQuantity } from './quantity.ts'
import { kubernetesRegex } from './regex.ts'
import { kubernetesUrls } from './urls.ts'

/** The functions of expressions in Kubernetes 1.32. */
export const kubernetesLibraries: readonly CelLibrary[] = [
  ...standardLibraries,
  kubernetesUrls,
  kubernetesRegex,
  kubernetesLists,
  optionals,
  kubernetesQuantity,
  stringExtension,
  sets,
  kubernetesIp,
  kubernetesFormats,
]

/** The same for stored expressions: what an earlier version accepted is evaluated, although it would be refused now. */
export const storedLibraries: readonly CelLibrary[] = [...kubernetesLibraries, earlierQuantity]

/** With the authorizer, by which expressions check rights. */
export const kubernetesEnvironment: CelEnvironment = celEnvironment([...kubernetesLibraries, kubernetesAuthorizer])
export const storedEnvironment: CelEnvironment = celEnvironment(storedLibraries)

/** The cost limit of one expression, in units of Kubernetes: 100 units take about 10 microseconds. */
export const mostExpressionCost = 1_000_000
/** For all expressions that are evaluated for one object, or one binding of a policy. */
export const mostRequestCost = 10_000_000
/** For all expressions that are evaluated for one object, in units of work, each about ten nanoseconds. */
export const mostRequestWork = 50_000_000
/** For the match conditions of one webhook or policy, for one object. */
export const mostMatchCost = 2_500_000
