export { Entities } from './entities/entities.ts'
export type { Entity, EntityConflict } from './entities/entities.ts'
export { entityPageOf } from './entities/entity-page.ts'
export type { EntityPage } from './entities/entity-page.ts'
export { entitySlug } from './entities/slug.ts'
export { suggestMerges } from './entities/suggest-merges.ts'
export type { MergeSuggestion, SuggestOptions } from './entities/suggest-merges.ts'
export { bankAnnotator } from './facts/bank-annotator.ts'
export { isFactPath, RETAIN_HEADINGS } from './retain/fact-places.ts'
export type { BankAnnotatorOptions } from './facts/bank-annotator.ts'
export type { Correction, Corrections, DeadRelation } from './facts/corrections.ts'
export { findEntity, listEntities, nearEntities } from './facts/list-entities.ts'
export type { EntityDetails, ListedEntity } from './facts/list-entities.ts'
export { mergeEntities } from './facts/merge-entities.ts'
export type { ChangePage, MergeReport, MergeRequest } from './facts/merge-entities.ts'
export { entityProblems } from './facts/entity-problems.ts'
export type { EntityProblem } from './facts/entity-problems.ts'
export { notesWithFact } from './facts/notes-with-fact.ts'
export { planMerge, planUnmerge } from './entities/plan-merge.ts'
export type { MergeOptions, MergePlan, MergeReading, MergeRefusal, MergeRefusalCode } from './entities/plan-merge.ts'
export { FactRegistry } from './facts/fact-registry.ts'
export type { FactState } from './facts/fact-registry.ts'
export type { IndexedFact } from './facts/chunks/facts-of-chunks.ts'
export type {
  ChildKey,
  Fact,
  FactAuthor,
  FactChild,
  FactDays,
  FactEntity,
  FactKind,
  FactRelation,
  PlacedFact,
  RelationVerb,
} from './retain/fact.ts'
export { contentKey, factId } from './retain/fact-id.ts'
export type { Identity } from './retain/fact-id.ts'
export type { AskModel, ModelAnswer, ModelRefusal, RefusalReason } from './judge/ask-model.ts'
export { Journal } from './journal/journal.ts'
export type { JournalFile, JournalProblem, JournalStamp } from './journal/journal.ts'
export type { JournalAuthor, JournalEntry, JournalEvent, JournalProblemCode } from './journal/journal-line.ts'
export { judgePairs } from './judge/judge-pairs.ts'
export type { JudgedPair, JudgeOptions, JudgeReply, PairToJudge, VerdictWord } from './judge/judge-pairs.ts'
export { wordSummary } from './judge/word-summary.ts'
export type { EntitySummary, FactToSum, SummarySentence } from './judge/word-summary.ts'
export { makeFact } from './retain/make-fact.ts'
export type { FactClock, FactRefusal, FactRequest } from './retain/make-fact.ts'
export type { FactProblem, FactProblemCode } from './retain/problems.ts'
export { readFacts, readFactsOf } from './retain/read-facts.ts'
export type { NoteFacts, ReadFactsOptions } from './retain/read-facts.ts'
export { retain } from './retain/retain.ts'
export type { ChangeNote, FactPlace, RetainOptions, RetainReport } from './retain/retain.ts'
export { isRetainHeading } from './retain/retain-scopes.ts'
export { signFacts } from './retain/sign-facts.ts'
export type { SignOptions } from './retain/sign-facts.ts'
export { writeFact } from './retain/write-fact.ts'
export type { WritableFact } from './retain/write-fact.ts'
export { knownNames } from './propose/known-names.ts'
export { proposeByModel } from './propose/propose-by-model.ts'
export type { ModelProposals } from './propose/propose-by-model.ts'
export { proposeFacts } from './propose/propose-facts.ts'
export type { FactProposal, ProposeFrom, ProposeOptions } from './propose/propose-facts.ts'
export type { ProposalReason } from './propose/cue-words.ts'
export { checkCitations } from './packs/check-citations.ts'
export type { CheckedCitation, CheckOptions, CitedText } from './packs/check-citations.ts'
export { packFacts } from './packs/pack-facts.ts'
export type { DropReason, Pack, Packable, PackOptions } from './packs/pack-facts.ts'
export { spreadOverDays } from './packs/spread-over-days.ts'
export { originKey, statementKey } from './packs/statement.ts'
export { isInWindow } from './recall/in-window.ts'
export type { Lasting, Window } from './recall/in-window.ts'
export { createRecall } from './recall/recall.ts'
export type { OpinionRecords, RecallOptions } from './recall/recall.ts'
export { readQuestion } from './recall/read-question.ts'
export type { QuestionReading, ReadQuestionOptions } from './recall/read-question.ts'
export type {
  EarlierFact,
  RecalledEvidence,
  RecalledFact,
  RecalledKind,
  RecalledReasons,
  RecallQuery,
  RecallReply,
} from './recall/recall-reply.ts'
export type { Slot } from './facts/slots.ts'
export type { SlotValue } from './values/slot-value.ts'
export { valueOn, valuesOf } from './values/values-of.ts'
export { readBlock, writeBlock } from './pages/managed-block.ts'
export type { BlockDamage, BlockOptions, BlockReading, BlockToWrite, DamagedBlock, ManagedBlock } from './pages/managed-block.ts'
export { adoptPage } from './pages/adopt-page.ts'
export type { AdoptedFact, Adoption } from './pages/adopt-page.ts'
export { MEMORY_LIMIT_TOKENS, proposeMemory } from './pages/memory-proposal.ts'
export type { MemoryEdit, MemoryProposal, MemoryProposalOptions } from './pages/memory-proposal.ts'
export type { Tombstone } from './pages/page-facts.ts'
export { pageDiff } from './pages/page-diff.ts'
export type { PageOpinion } from './pages/page-opinion.ts'
export { planPages } from './pages/plan-pages.ts'
export type { PageChange, PagePlan, PagesOptions } from './pages/plan-pages.ts'
export { confidenceOf, FORMULA_VERSION, shownConfidence } from './opinions/confidence.ts'
export type { AnchorNumber, WeighedEvidence, WeighedGroup } from './opinions/confidence.ts'
export { curveOf } from './opinions/compute-opinion.ts'
export { Opinions, opinionsOf } from './opinions/opinions-of.ts'
export type { OpinionOptions, OpinionsReading } from './opinions/opinions-of.ts'
export type {
  Anchor,
  DeletedOpinion,
  Evidence,
  EvidenceReason,
  Opinion,
  RecordedAnchor,
  UndecidedPair,
  Verdict,
} from './opinions/opinion.ts'
export { opinionLine } from './opinions/own-line.ts'
export { pagesOptions, reflect } from './reflect/reflect.ts'
export type { ReflectOptions, Reflection } from './reflect/reflect.ts'
