/** Raise it whenever the same evidence would give another number: pages name the version that their numbers come from. */
export const FORMULA_VERSION = 1

/** Least and greatest confidence; a number outside is computed with as the nearer of the two. */
const BOUNDS = { least: 0.05, most: 0.95 } as const
/** As far as agents and models bring an opinion without a person. */
const BOUNDS_OF_AGENTS = { least: 0.15, most: 0.85 } as const
/** Log odds of one supporting group of weight 1, before damping. */
const SUPPORT = Math.log(1.5)
/** Log odds of one contradicting group of weight 1. */
const CONTRADICTION = Math.log(2)
/** Most log odds that one contradicting group takes. */
const MOST_OF_GROUP = 0.85

/** The number that evidence moves, and whose it is. */
export interface AnchorNumber {
  /** 0 to 1. */
  readonly confidence: number
  readonly isByPerson: boolean
}

/** A group of lines of one origin, by its strongest line. */
export interface WeighedGroup {
  /** From 0: 1 for the same statement said again. */
  readonly weight: number
  readonly isByPerson: boolean
}

export interface WeighedEvidence {
  readonly for: readonly WeighedGroup[]
  readonly against: readonly WeighedGroup[]
}

/**
 * Confidence of an opinion, 0.05 to 0.95: a pure function of anchor and groups, whatever their order. Supports are damped by √k, the strongest
 * first; contradictions are not, but each is capped. Agents and models alone stop at 0.15 and 0.85; they never pull a person's number back.
 */
export function confidenceOf(anchor: AnchorNumber, evidence: WeighedEvidence): number {
  const start = startOf(anchor)
  const supports = weightsOf(evidence.for)
  const contradictions = weightsOf(evidence.against)
  if (supports.length + contradictions.length === 0) return start
  const gained = sum(supports.map((weight, at) => (SUPPORT * weight) / Math.sqrt(at + 1)))
  const lost = sum(contradictions.map((weight) => Math.min(MOST_OF_GROUP, CONTRADICTION * weight)))
  // A person who supports opens the way up, one who contradicts the way down: so no contradiction ever raises the number.
  const most = holdsPerson(evidence.for) ? BOUNDS.most : Math.max(BOUNDS_OF_AGENTS.most, start)
  const least = holdsPerson(evidence.against) ? BOUNDS.least : Math.min(BOUNDS_OF_AGENTS.least, start)
  return clamp(logistic(Math.log(start / (1 - start)) + gained - lost), least, most)
}

/**
 * The number as it is shown: that of the formula, or, where nothing counts for or against, the anchor as a person typed it, which may be 0 or 1.
 */
export function shownConfidence(anchor: AnchorNumber, evidence: WeighedEvidence): number {
  const isUntouched = weightsOf([...evidence.for, ...evidence.against]).length === 0
  return isUntouched && anchor.isByPerson ? anchor.confidence : confidenceOf(anchor, evidence)
}

function startOf({ confidence, isByPerson }: AnchorNumber): number {
  const { least, most } = isByPerson ? BOUNDS : BOUNDS_OF_AGENTS
  return clamp(confidence, least, most)
}

/** Sorted, so that sums are equal to the last bit in whatever order the groups come. */
function weightsOf(groups: readonly WeighedGroup[]): readonly number[] {
  return groups
    .map(({ weight }) => weight)
    .filter((weight) => weight > 0)
    .sort((left, right) => right - left)
}

function holdsPerson(groups: readonly WeighedGroup[]): boolean {
  return groups.some(({ weight, isByPerson }) => isByPerson && weight > 0)
}

function sum(terms: readonly number[]): number {
  return terms.reduce((total, term) => total + term, 0)
}

function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds))
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
