export interface paths {
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find notes */
        post: operations["postV1Search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer from facts and passages */
        post: operations["postV1Recall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recall/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask again for the citations of an answer */
        post: operations["postV1RecallCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a note, or lines of it */
        get: operations["getV1Note"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List notes, newest first or by path */
        get: operations["getV1Notes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a session begins with */
        get: operations["getV1Context"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is indexed, and what is not */
        get: operations["getV1Status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/append": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write at the end of a note */
        post: operations["postV1Append"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/retain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a fact to today's log */
        post: operations["postV1Retain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace a text of a note, or insert lines */
        post: operations["postV1Edit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring the index up to date */
        post: operations["postV1Sync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Syncs as they happen
         * @description Server-sent events: `ready`, `progress`, `synced`, `failed`.
         */
        get: operations["getV1Events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tools of an agent, as JSON Schema */
        get: operations["getV1Tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Call a tool as an agent would */
        post: operations["postV1ToolsByName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List conversations */
        get: operations["getV1Sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describe a conversation */
        get: operations["getV1SessionsBySession"];
        put?: never;
        post?: never;
        /** Take a conversation off the list */
        delete: operations["deleteV1SessionsBySession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what was said */
        get: operations["getV1SessionsBySessionMessages"];
        put?: never;
        /** Append messages */
        post: operations["postV1SessionsBySessionMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a new session */
        post: operations["postV1SessionsBySessionReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Summarise older messages */
        post: operations["postV1SessionsBySessionCompact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase for good */
        post: operations["postV1SessionsBySessionForget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List whom and what facts name, or describe one */
        get: operations["getV1Entities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entities/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Join two names */
        post: operations["postV1EntitiesMerge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entities/unmerge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Part two names again */
        post: operations["postV1EntitiesUnmerge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: never;
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    postV1Search: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Without a word, what passes the filter is listed, newest first. */
                    query: string;
                    limit?: number;
                    filter?: {
                        sources?: string[];
                        /** @description Folders, paths, globs. */
                        paths?: string[];
                        excludePaths?: string[];
                        /** @description 2026-03-14, 2026-03, 2026, 7d, 2w, 3m, or words such as "yesterday" or "last week", in any language. */
                        since?: string;
                        until?: string;
                        asOf?: string;
                        kinds?: string[];
                        entities?: string[];
                        tags?: string[];
                    };
                    overrides?: {
                        minScore?: number;
                        mmr?: {
                            enabled: boolean;
                            lambda?: number;
                        };
                        temporalDecay?: {
                            enabled: boolean;
                            halfLifeDays?: number;
                        };
                        /** @enum {string} */
                        fusion?: "weighted" | "rrf";
                        vectorWeight?: number;
                        keywordsOnly?: boolean;
                        rerank?: boolean;
                    };
                    /** @description Say how each score came about. */
                    explain?: boolean;
                    /** @description Say why this place is, or is not, among the hits. */
                    why?: {
                        path: string;
                        line?: number;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hits: {
                            source: string;
                            path: string;
                            startLine: number;
                            endLine: number;
                            /** @description Line of the best match, from 1. */
                            line: number;
                            /** @description 0 to 1: the share of what the question could get, on one scale whatever took part. */
                            score: number;
                            /** @description 0 to 1: how much of the question's content words it holds, rare words counting more. */
                            share: number;
                            snippet: string;
                            /** @description For each line of the snippet its line in the file. */
                            snippetLines: number[];
                            /** @description Character ranges of the snippet, [start, end). */
                            highlights: number[][];
                            citation: string;
                            /** @description Finds the cited text again after it has moved. */
                            quoteHash?: string;
                            /** @description Said again in the same words and values, at other times. */
                            repeats?: {
                                count: number;
                                first: string;
                                last: string;
                            };
                            /** @description Same wording, other values: newest first, undated last, the hit among them. */
                            versions?: {
                                items: {
                                    citation: string;
                                    /** @description YYYY-MM-DD; left out where the text has none. */
                                    day?: string;
                                    /** @description What it has where they differ: five pieces of 80 characters at most. */
                                    differs: string[];
                                }[];
                                /** @description How many there are; at most ten are listed. */
                                total: number;
                                /** @description false: near copies, compared among the candidates of this search only. */
                                isComplete: boolean;
                            };
                        }[];
                        /**
                         * @description unavailable: the answer is no answer; degraded says why.
                         * @enum {string}
                         */
                        mode: "hybrid" | "keywords" | "vectors" | "unavailable";
                        backend: string;
                        provider: string | null;
                        model: string | null;
                        requestedProvider: string | null;
                        degraded: {
                            code: string;
                            message: string;
                        }[];
                        stale: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1Recall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description With names and days, in any language. */
                    question: string;
                    /** @description Default 8. */
                    limit?: number;
                    since?: string;
                    until?: string;
                    /** @description What was true on that day. */
                    asOf?: string;
                    /** @description Names it must be about. */
                    entities?: string[];
                    budgetTokens?: number;
                    /** @description Earlier and corrected facts too. */
                    history?: boolean;
                    /** @description What was written down by that day. */
                    knownOn?: string;
                    kinds?: ("world" | "experience" | "opinion" | "observation" | "note")[];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        facts: {
                            /** @enum {string} */
                            kind: "world" | "experience" | "opinion" | "observation" | "note";
                            /** @description First valid day, YYYY-MM-DD. */
                            timestamp?: string;
                            /** @description Last valid day; left out where it still holds. */
                            until?: string;
                            entities: string[];
                            content: string;
                            /** @description path#L12-L12 */
                            source: string;
                            quoteHash: string;
                            score: number;
                            tokens: number;
                            factId?: string;
                            confidence?: number;
                            /** @enum {string} */
                            author?: "person" | "agent" | "model";
                            slot?: string;
                            /** @description Of opinions. */
                            evidence?: {
                                for: {
                                    source: string;
                                    quote: string;
                                    timestamp?: string;
                                }[];
                                against: {
                                    source: string;
                                    quote: string;
                                    timestamp?: string;
                                }[];
                                /** @description Numbers of independent origins. */
                                groups: {
                                    for: number;
                                    against: number;
                                };
                            };
                            /** @enum {string} */
                            state?: "closed" | "retracted" | "turning";
                            earlier?: {
                                content: string;
                                source: string;
                                timestamp?: string;
                                why: string;
                            }[];
                        }[];
                        dropped: {
                            source: string;
                            /** @enum {string} */
                            why: "budget" | "limit" | "same-origin" | "superseded";
                        }[];
                        /** @description Nothing fitted the budget, and the best one came whole. */
                        overBudget: boolean;
                        read: {
                            entities: string[];
                        };
                        /** @description Where nothing is known of the days asked for. */
                        nearest?: {
                            /** @enum {string} */
                            kind: "world" | "experience" | "opinion" | "observation" | "note";
                            /** @description First valid day, YYYY-MM-DD. */
                            timestamp?: string;
                            /** @description Last valid day; left out where it still holds. */
                            until?: string;
                            entities: string[];
                            content: string;
                            /** @description path#L12-L12 */
                            source: string;
                            quoteHash: string;
                            score: number;
                            tokens: number;
                            factId?: string;
                            confidence?: number;
                            /** @enum {string} */
                            author?: "person" | "agent" | "model";
                            slot?: string;
                            /** @description Of opinions. */
                            evidence?: {
                                for: {
                                    source: string;
                                    quote: string;
                                    timestamp?: string;
                                }[];
                                against: {
                                    source: string;
                                    quote: string;
                                    timestamp?: string;
                                }[];
                                /** @description Numbers of independent origins. */
                                groups: {
                                    for: number;
                                    against: number;
                                };
                            };
                            /** @enum {string} */
                            state?: "closed" | "retracted" | "turning";
                            earlier?: {
                                content: string;
                                source: string;
                                timestamp?: string;
                                why: string;
                            }[];
                        };
                        /** @enum {string} */
                        mode: "hybrid" | "keywords" | "vectors" | "unavailable";
                        degraded: {
                            code: string;
                            message: string;
                        }[];
                        stale: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1RecallCheck: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    citations: {
                        /** @description path#L12-L14, the source of a fact or the citation of a hit. */
                        source: string;
                        quoteHash: string;
                        /** @description Told again in the answer. */
                        content?: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        citations: {
                            source: string;
                            quoteHash: string;
                            content?: string;
                            /**
                             * @description gone: it is in no note any more.
                             * @enum {string}
                             */
                            status: "same" | "moved" | "changed" | "gone";
                            /** @description Its present lines, with their citation and hash. */
                            now?: {
                                source: string;
                                quoteHash: string;
                                text: string;
                            };
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    getV1Note: {
        parameters: {
            query: {
                path: string;
                from?: string;
                lines?: string;
                quoteHash?: string;
            };
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        path: string;
                        /** @enum {string} */
                        status: "ok" | "empty" | "not-found";
                        text: string;
                        startLine: number;
                        endLine: number;
                        nextFrom?: number;
                        /** @enum {string} */
                        moved?: "same" | "moved" | "changed" | "gone";
                        note?: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    getV1Notes: {
        parameters: {
            query?: {
                source?: string | string[];
                /** @description Folders, paths, globs; may be given again, as source, tag, kind and entity. */
                path?: string | string[];
                tag?: string | string[];
                kind?: string | string[];
                entity?: string | string[];
                /** @description 2026-03-14, 2026-03, 2026, 7d, 2w, 3m, or words such as "yesterday" or "last week", in any language. */
                since?: string;
                until?: string;
                asOf?: string;
                /** @description newest when left out; undated notes last. */
                order?: "newest" | "path";
                /** @description At most 1000; 100 when left out. */
                limit?: string;
                /** @description The next of the answer before. */
                after?: string;
                /** @description Count tags as well. */
                tags?: "true" | "false";
            };
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        notes: {
                            source: string;
                            path: string;
                            title?: string;
                            /** @description YYYY-MM-DD */
                            from?: string;
                            /** @description The last day of what passes, YYYY-MM-DD; left out where none is dated. */
                            day?: string;
                            isEvergreen?: boolean;
                            tags: string[];
                            marks: string[];
                            chunks?: number;
                            lines?: number;
                            /** @description Bytes. */
                            size?: number;
                            modifiedAt?: string;
                        }[];
                        /** @description Notes that pass, on all pages. */
                        total: number;
                        /** @description YYYY-MM-DD */
                        newest?: string;
                        tags?: {
                            tag: string;
                            notes: number;
                            /** @description YYYY-MM-DD */
                            newest?: string;
                        }[];
                        /** @description There are more: the after of the next page. */
                        next?: string;
                        backend: string;
                        degraded: {
                            code: string;
                            message: string;
                        }[];
                        stale: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    getV1Context: {
        parameters: {
            query?: {
                /** @description The first question of the session: what is known of it stands first. */
                question?: string;
                /** @description Tokens, at least 200; 4000 when left out. */
                budget?: string;
            };
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One block for the beginning of a session, marked as data. */
                        text: string;
                        tokens: number;
                        parts: {
                            path: string;
                            startLine: number;
                            endLine: number;
                            totalLines: number;
                            tokens: number;
                        }[];
                        leftOut: string[];
                        isPrivate: boolean;
                        problems: string[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    getV1Status: {
        parameters: {
            query?: {
                /** @description Also ask the embedding provider. */
                deep?: "true" | "false";
            };
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        documents: number;
                        chunks: number;
                        isDirty: boolean;
                        backend: string;
                        degraded: {
                            code: string;
                            message: string;
                        }[];
                        /** @description For the owner: what was left out, the provider chain, jobs. Else empty. */
                        details: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1Append: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    /**
                     * @description daily, memory, or the path of a note.
                     * @default daily
                     */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        path: string;
                        /** @enum {string} */
                        status: "appended" | "duplicate";
                        count: number;
                        startLine: number;
                        endLine: number;
                        /** @description The text looks as if it held a password or a key. */
                        warning?: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1Retain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One statement that stands by itself. */
                    text: string;
                    /**
                     * @description world (default): what is so. experience: what you did. opinion: what somebody holds. observation: a summary.
                     * @enum {string}
                     */
                    kind?: "world" | "experience" | "opinion" | "observation";
                    /** @description Whom or what it is about: names. */
                    entities?: string[];
                    /** @description For an opinion: 0 to 1. */
                    confidence?: number;
                    /** @description When it was true: a day, or two with .. between; today when left out. */
                    on?: string;
                    /** @description The fact it puts right: ^id, or path#L12. */
                    corrects?: string;
                    /** @description The fact it takes back. */
                    retracts?: string;
                    /** @description Write it although it stands there already. */
                    again?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        path: string;
                        /**
                         * @description exists: it stands there already, and nothing was written.
                         * @enum {string}
                         */
                        status: "written" | "exists";
                        startLine: number;
                        endLine: number;
                        factId: string;
                        /** @description What another program saved at the same moment is kept under this name. */
                        conflict: string | null;
                        warning?: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1Edit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    path: string;
                    /** @description The old text must stand there exactly once. This or insert. */
                    replace?: {
                        old: string;
                        new: string;
                    };
                    /** @description 0 is the beginning. */
                    insert?: {
                        afterLine: number;
                        text: string;
                    };
                    /** @description The hash of the last edit: another note is a conflict. */
                    expected?: string;
                    /** @description The quoteHash of a hit, and its first line that is not blank: where it does not stand now, it is a conflict. */
                    quote?: {
                        hash: string;
                        line?: number;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        path: string;
                        /** @enum {string} */
                        status: "edited" | "unchanged" | "not-found";
                        startLine: number;
                        endLine: number;
                        hash: string;
                        previous: string | null;
                        /** @description What another program saved at the same moment is kept under this name. */
                        conflict: string | null;
                        warning?: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1Sync: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Read and analyse every note again.
                     * @default false
                     */
                    force?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        indexed: number;
                        unchanged: number;
                        removed: number;
                        chunks: number;
                        isComplete: boolean;
                        ms: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    getV1Events: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
        };
    };
    getV1Tools: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tools: {
                            name: string;
                            description: string;
                            inputSchema: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1ToolsByName: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        /** @description The input of the tool, by its inputSchema of GET /v1/tools. */
        requestBody?: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The answer in words, for the model: quoted text is marked as data. */
                        text: string;
                        data: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    getV1Sessions: {
        parameters: {
            query?: {
                /** @description At most 200; 50 when left out. */
                limit?: string;
                /** @description The next of the answer before. */
                after?: string;
            };
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The last written first. */
                        sessions: {
                            id: string;
                            /** @description null: a transcript of another program that names none. */
                            key: string | null;
                            /**
                             * @description archived: another session of the key took over. deleted: off the list, readable until it is pruned.
                             * @enum {string}
                             */
                            state: "active" | "archived" | "deleted";
                            agent: string;
                            /** @enum {string} */
                            chatType: "direct" | "group" | "channel" | "thread";
                            channel: string | null;
                            /** @description The id of the session that it took over from. */
                            previous: string | null;
                            /** @description The key of the session that started it. */
                            spawnedBy: string | null;
                            /** @description ISO 8601, UTC. */
                            createdAt: string;
                            /** @description ISO 8601, UTC. */
                            updatedAt: string;
                            /** @description The last message of a person. */
                            lastInteractionAt: string | null;
                            messages: number;
                            /** @description Tokens of the last measured request; null = unknown. */
                            context: number | null;
                            /** @description Tokens of the whole session. */
                            totals: {
                                input: number;
                                output: number;
                                cacheRead: number;
                                cacheWrite: number;
                            };
                            compactions: number;
                            bytes: number;
                        }[];
                        total: number;
                        /** @description There are more: the after of the next page. */
                        next?: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    getV1SessionsBySession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path: {
                /** @description A key or an id, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description null: a transcript of another program that names none. */
                        key: string | null;
                        /**
                         * @description archived: another session of the key took over. deleted: off the list, readable until it is pruned.
                         * @enum {string}
                         */
                        state: "active" | "archived" | "deleted";
                        agent: string;
                        /** @enum {string} */
                        chatType: "direct" | "group" | "channel" | "thread";
                        channel: string | null;
                        /** @description The id of the session that it took over from. */
                        previous: string | null;
                        /** @description The key of the session that started it. */
                        spawnedBy: string | null;
                        /** @description ISO 8601, UTC. */
                        createdAt: string;
                        /** @description ISO 8601, UTC. */
                        updatedAt: string;
                        /** @description The last message of a person. */
                        lastInteractionAt: string | null;
                        messages: number;
                        /** @description Tokens of the last measured request; null = unknown. */
                        context: number | null;
                        /** @description Tokens of the whole session. */
                        totals: {
                            input: number;
                            output: number;
                            cacheRead: number;
                            cacheWrite: number;
                        };
                        compactions: number;
                        bytes: number;
                        /** @description The ids of all sessions of the key, oldest first. */
                        sessions: string[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    deleteV1SessionsBySession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path: {
                /** @description A key or an id, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids. */
                        deleted: string[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    getV1SessionsBySessionMessages: {
        parameters: {
            query?: {
                /** @description At most 200; 50 when left out. */
                limit?: string;
                /** @description The earlier of the answer before. */
                before?: string;
                /** @description Results of tools too. */
                tools?: "true" | "false";
                /** @description Messages that a rewind left too. */
                branches?: "true" | "false";
            };
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path: {
                /** @description A key or an id, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The last ones, the oldest of them first. */
                        messages: {
                            /** @enum {string} */
                            role: "user" | "assistant" | "toolResult" | "system";
                            text: string;
                            id: string;
                            sessionId: string;
                            line: number;
                            /** @description session:<id>.jsonl#L12; GET /v1/note reads it. */
                            citation: string;
                            /** @description Left out where it is unknown. */
                            timestamp?: string;
                            /** @description Machinery that wrote in place of a person. */
                            origin?: string;
                            speaker?: string;
                            toolName?: string;
                            toolCallId?: string;
                            isError?: boolean;
                            /** @description The tools that this answer called. */
                            calls?: string[];
                            images?: number;
                            /** @description The text is the beginning of a longer one. */
                            isCut?: boolean;
                            /** @description On a branch that a rewind left. */
                            isAbandoned?: boolean;
                        }[];
                        /** @description There are earlier ones: the before of the page with them. */
                        earlier?: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1SessionsBySessionMessages: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path: {
                /** @description A key or an id, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description {role, content, id?, parentId?, timestamp?, usage?, …}, as in @mnemark/sessions. */
                    messages: {
                        [key: string]: unknown;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessionId: string;
                        /** @description Why a new session began first; null where none did. */
                        reset: string | null;
                        written: {
                            id: string;
                            /** @description false: a message of that id stands there already. */
                            isNew: boolean;
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1SessionsBySessionReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path: {
                /** @description A key or an id, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default reset
                     * @enum {string}
                     */
                    reason?: "new" | "reset";
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The new session. */
                        sessionId: string;
                        previous: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1SessionsBySessionCompact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path: {
                /** @description A key or an id, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the model that is to be asked, in tokens. */
                    window: number;
                    /** @description What the summary is to pay heed to. */
                    focus?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                        /** @description In words, where something was not done. */
                        why: string;
                        id: string | null;
                        summary: string | null;
                        /** @description Messages that the summary stands for. */
                        covered: number;
                        tokensBefore: number;
                        flush: {
                            status: string;
                            path: string | null;
                            text: string | null;
                            /** @description In words, where something was not done. */
                            why: string;
                        } | null;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1SessionsBySessionForget: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path: {
                /** @description A key or an id, percent-encoded. */
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Ids: these, with the summaries made from them, in all sessions of the key. This or all. */
                    messages?: string[];
                    /**
                     * @description Everything that the key or id names.
                     * @constant
                     */
                    all?: true;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ids of those that were erased as a whole. */
                        sessions: string[];
                        lines: number;
                        summaries: number;
                        /** @description Notes that a flush wrote into; look at them by hand. */
                        notes: string[];
                        unreadable: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    getV1Entities: {
        parameters: {
            query?: {
                /** @description Any of its names; without one all are listed, those of most facts first. */
                name?: string;
            };
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entities: {
                            name: string;
                            /** @description The file name that its page has or would have, without ending. */
                            slug: string;
                            aliases: string[];
                            facts: number;
                            opinions: number;
                            /** @description YYYY-MM-DD */
                            first?: string;
                            /** @description YYYY-MM-DD */
                            last?: string;
                            page?: string;
                        }[];
                        facts?: {
                            factId: string;
                            /** @enum {string} */
                            kind: "world" | "experience" | "opinion" | "observation" | "note";
                            content: string;
                            source: string;
                            /** @description YYYY-MM-DD */
                            timestamp?: string;
                            /** @description YYYY-MM-DD */
                            until?: string;
                            confidence?: number;
                            author: string;
                        }[];
                        suggestions?: {
                            name: string;
                            why: string;
                        }[];
                        /** @description Names like one that nobody has. */
                        near?: string[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1EntitiesMerge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    names: string[];
                    /** @description Join also names that differ in a number, and pages of different type. */
                    yes?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description unchanged: they were one, or two, already.
                         * @enum {string}
                         */
                        status: "merged" | "parted" | "unchanged";
                        entity: {
                            name: string;
                            /** @description The file name that its page has or would have, without ending. */
                            slug: string;
                            aliases: string[];
                            facts: number;
                            opinions: number;
                            /** @description YYYY-MM-DD */
                            first?: string;
                            /** @description YYYY-MM-DD */
                            last?: string;
                            page?: string;
                        };
                        changes: {
                            path: string;
                            diff: string;
                        }[];
                        done?: {
                            op: string;
                            winner: string;
                            loser: string;
                            path: string;
                        };
                        /** @description Why the journal does not tell of it. */
                        remark?: string;
                        /** @description What another program saved at the same moment is kept under this name. */
                        conflict: string | null;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
    postV1EntitiesUnmerge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that asks, such as agent:main:main. */
                "Mnemark-Session-Key"?: string;
                /** @description Its kind of chat. */
                "Mnemark-Chat-Type"?: "direct" | "group" | "channel";
                /** @description The channel the chat is on, such as telegram. */
                "Mnemark-Channel"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    names: string[];
                    /** @description Join also names that differ in a number, and pages of different type. */
                    yes?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description unchanged: they were one, or two, already.
                         * @enum {string}
                         */
                        status: "merged" | "parted" | "unchanged";
                        entity: {
                            name: string;
                            /** @description The file name that its page has or would have, without ending. */
                            slug: string;
                            aliases: string[];
                            facts: number;
                            opinions: number;
                            /** @description YYYY-MM-DD */
                            first?: string;
                            /** @description YYYY-MM-DD */
                            last?: string;
                            page?: string;
                        };
                        changes: {
                            path: string;
                            diff: string;
                        }[];
                        done?: {
                            op: string;
                            winner: string;
                            loser: string;
                            path: string;
                        };
                        /** @description Why the journal does not tell of it. */
                        remark?: string;
                        /** @description What another program saved at the same moment is kept under this name. */
                        conflict: string | null;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            code: string;
                            message: string;
                            /** @description What to do about it. */
                            next: string;
                        };
                    };
                };
            };
        };
    };
}
