module github.com/mbgate/mbgate

go 1.26
