/** What is measured is the gateway as services start it, without the judge that holds its answers against their document in tests. */
process.env.UNJUDGED = '1';
